/**
 * Frequent strings of manifests, the most frequent last, for links of version 1. Published links depend on it: never change
 * it; a better one needs a new version.
 */
export const dictionary1: string = [
  '"additionalPrinterColumns":[{"jsonPath":".spec.","name":"","type":"string"}],"subresources":{"status":{}},"served":true,"storage":true}]',
  '"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"group":"example.com","names":{"kind":"","listKind":"List","plural":"","singular":"","shortNames":[""]},"scope":"Namespaced","versions":[{"name":"v1","schema":{"openAPIV3Schema":{"properties":{"spec":{"properties":{"":{"type":"integer","minimum":1,"maximum":10,"default":1},"":{"type":"string"}},"required":[""],"type":"object"}},"type":"object"}}',
  '"apiVersion":"networking.k8s.io/v1","kind":"Ingress","spec":{"rules":[{"host":"","http":{"paths":[{"backend":{"service":{"name":"","port":{"number":80}}},"path":"/","pathType":"Prefix"}]}}]}',
  '"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy","spec":{"podSelector":{},"policyTypes":["Ingress","Egress"]}',
  '"apiVersion":"batch/v1","kind":"CronJob","spec":{"schedule":"0 * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"OnFailure"',
  '"apiVersion":"batch/v1","kind":"Job","spec":{"backoffLimit":4,"completionMode":"NonIndexed","completions":1,"parallelism":1',
  '"kind":"PersistentVolumeClaim","spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},"volumeMode":"Filesystem"}',
  '"kind":"StatefulSet","kind":"DaemonSet","kind":"ResourceQuota","spec":{"hard":{"pods":"10"}},"kind":"LimitRange","kind":"Namespace","spec":{"finalizers":["kubernetes"]}',
  '"livenessProbe":{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP"}},"readinessProbe":{"failureThreshold":3,"periodSeconds":10,"successThreshold":1,"timeoutSeconds":1}',
  '"volumeMounts":[{"mountPath":"/","name":"","readOnly":true}],"volumes":[{"configMap":{"defaultMode":420,"name":""},"name":""}],"env":[{"name":"","value":"","valueFrom":{"secretKeyRef":{"key":"","name":""}}}]',
  '"limits":{"cpu":"500m","memory":"128Mi"},"requests":{"cpu":"100m","memory":"64Mi"}',
  '"kind":"ClusterRole","kind":"ClusterRoleBinding","kind":"ServiceAccount","name":"default","namespace":"default"',
  '"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":""},"subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":""}]',
  '"kind":"Group","kind":"Role","rules":[{"apiGroups":[""],"resources":["pods","deployments","services","configmaps","secrets"],"verbs":["get","list","watch","create","update","patch","delete"]}]',
  '"kind":"ConfigMap","data":{"":""},"kind":"Secret","type":"Opaque"',
  '"kind":"Service","spec":{"internalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","ports":[{"name":"http","port":80,"protocol":"TCP","targetPort":8080}],"selector":{"app":""},"sessionAffinity":"None","type":"ClusterIP"}',
  '"kind":"Pod","restartPolicy":"Always","serviceAccount":"default","serviceAccountName":"default","tolerations":[],"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority","priority":0',
  '"progressDeadlineSeconds":600,"replicas":1,"revisionHistoryLimit":10,"selector":{"matchLabels":{"app":""}},"strategy":{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"},"type":"RollingUpdate"}',
  '"template":{"metadata":{"labels":{"app":""}},"spec":{"containers":[{"image":"nginx:1.27","imagePullPolicy":"IfNotPresent","name":"web","ports":[{"containerPort":80,"protocol":"TCP"}],"resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],"dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30}}',
  '{"name":"","objects":[{"apiVersion":"v1","kind":"","metadata":{"name":"","namespace":"default","labels":{"app":"","app":"web"},"annotations":{}}},{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default"},"spec":{',
].join('');
