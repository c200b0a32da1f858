package v1
package v1
import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)
package v1
import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)
type ExecCredential struct {
	// +undocumented
	metav1.TypeMeta `json:",inline"`
	Spec ExecCredentialSpec `json:"spec,omitempty"`
	// +optional
	Status *ExecCredentialStatus `json:"status,omitempty"`
}
type ExecCredentialSpec struct {
	// +optional
	Cluster *Cluster `json:"cluster,omitempty"`
	Interactive bool `json:"interactive"`
}
type ExecCredentialStatus struct {
	// +optional
	ExpirationTimestamp *metav1.Time `json:"expirationTimestamp,omitempty"`
	Token string `json:"token,omitempty" datapolicy:"token"`
	ClientCertificateData string `json:"clientCertificateData,omitempty"`
	ClientKeyData string `json:"clientKeyData,omitempty" datapolicy:"security-key"`
}
type Cluster struct {
	Server string `json:"server"`
	// +optional
	TLSServerName string `json:"tls-server-name,omitempty"`
	// +optional
	InsecureSkipTLSVerify bool `json:"insecure-skip-tls-verify,omitempty"`
	// +listType=atomic
	// +optional
	CertificateAuthorityData []byte `json:"certificate-authority-data,omitempty"`
	// +optional
	ProxyURL string `json:"proxy-url,omitempty"`
	// +optional
	DisableCompression bool `json:"disable-compression,omitempty"`
	// +optional
	Config runtime.RawExtension `json:"config,omitempty"`
}
