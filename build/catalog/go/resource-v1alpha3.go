package v1alpha3
import "fmt"
package v1alpha3
package v1alpha3
import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)
package v1alpha3
import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)
type DeviceSelector struct {
	// +optional
	CEL *CELDeviceSelector `json:"cel,omitempty" protobuf:"bytes,1,opt,name=cel"`
}
type CELDeviceSelector struct {
	// +required
	Expression string `json:"expression" protobuf:"bytes,1,name=expression"`
}
type DeviceTaint struct {
	// +required
	Key string `json:"key" protobuf:"bytes,1,name=key"`
	// +optional
	Value string `json:"value,omitempty" protobuf:"bytes,2,opt,name=value"`
	// +required
	Effect DeviceTaintEffect `json:"effect" protobuf:"bytes,3,name=effect,casttype=DeviceTaintEffect"`
	// +optional
	TimeAdded *metav1.Time `json:"timeAdded,omitempty" protobuf:"bytes,4,opt,name=timeAdded"`
}
// +enum
type DeviceTaintEffect string
const (
	DeviceTaintEffectNoSchedule DeviceTaintEffect = "NoSchedule"
	DeviceTaintEffectNoExecute DeviceTaintEffect = "NoExecute"
)
type DeviceTaintRule struct {
	// +undocumented
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	Spec DeviceTaintRuleSpec `json:"spec" protobuf:"bytes,2,name=spec"`
}
type DeviceTaintRuleSpec struct {
	// +optional
	DeviceSelector *DeviceTaintSelector `json:"deviceSelector,omitempty" protobuf:"bytes,1,opt,name=deviceSelector"`
	// +required
	Taint DeviceTaint `json:"taint,omitempty" protobuf:"bytes,2,rep,name=taint"`
}
type DeviceTaintSelector struct {
	// +optional
	DeviceClassName *string `json:"deviceClassName,omitempty" protobuf:"bytes,1,opt,name=deviceClassName"`
	// +optional
	Driver *string `json:"driver,omitempty" protobuf:"bytes,2,opt,name=driver"`
	// +optional
	Pool *string `json:"pool,omitempty" protobuf:"bytes,3,opt,name=pool"`
	// +optional
	Device *string `json:"device,omitempty" protobuf:"bytes,4,opt,name=device"`
	// +optional
	// +listType=atomic
	Selectors []DeviceSelector `json:"selectors,omitempty" protobuf:"bytes,5,rep,name=selectors"`
}
type DeviceTaintRuleList struct {
	// +undocumented
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	Items []DeviceTaintRule `json:"items" protobuf:"bytes,2,rep,name=items"`
}
