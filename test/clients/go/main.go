// Command scenario uses a cluster with the official Go client as controllers and operators do, over protobuf.
// It prints one line per step and exits with 1 at the first that fails.
package main

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/watch"
	applyappsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	applymetav1 "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/pager"
	watchtools "k8s.io/client-go/tools/watch"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"
)

const namespace = "scenario"

var (
	ctx    context.Context
	config *rest.Config
	client *kubernetes.Clientset
)

func main() {
	var cancel context.CancelFunc
	ctx, cancel = context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	var err error
	config, err = clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	must(err)
	config.QPS, config.Burst = 1000, 1000
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	client = kubernetes.NewForConfigOrDie(config)
	_, err = client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	must(err)
	_, err = client.CoreV1().ServiceAccounts(namespace).Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default"}}, metav1.CreateOptions{})
	must(err)

	step("discovery lists the served resources", discovery)
	step("objects written as protobuf are read back unchanged", roundTrips)
	step("errors have the right reasons", reasons)
	step("conflicting writers retry until both succeed", conflicts)
	step("an informer's cache receives every change", informer)
	step("a watch resumes where it ended", retryWatch)
	step("a paged list equals an unpaged one", pages)
	step("server-side apply owns, shares and releases fields", apply)
	step("scale and status are independent subresources", subresources)
	step("an eviction respects the disruption budget", eviction)
	step("dynamic and metadata clients read the same objects", dynamicAndMetadata)
	step("one of two candidates leads, then the other", election)
}

func step(name string, run func()) {
	run()
	fmt.Println("ok", name)
}

func must(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func check(condition bool, format string, values ...any) {
	if !condition {
		fail(format, values...)
	}
}

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}

func eventually(what string, condition func() bool) {
	for until := time.Now().Add(10 * time.Second); !condition(); time.Sleep(10 * time.Millisecond) {
		check(time.Now().Before(until), "false after ten seconds: %s", what)
	}
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: data}
}

func podSpec() corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{
		Name:  "main",
		Image: "nginx:1",
		Env: []corev1.EnvVar{
			{Name: "A", Value: "b"},
			{Name: "NODE", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "spec.nodeName"}}},
		},
		Ports:          []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
		Resources:      corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("250m"), "memory": resource.MustParse("64Mi")}},
		ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromString("http")}}},
	}}}
}

func deployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To[int32](2),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: podSpec()},
		},
	}
}

func discovery() {
	groups, lists, err := client.Discovery().ServerGroupsAndResources()
	must(err)
	check(len(groups) > 15 && len(lists) > 15, "%d groups, %d lists", len(groups), len(lists))
	version, err := client.Discovery().ServerVersion()
	must(err)
	check(version.Minor == "34", "version %v", version)
	document, err := client.Discovery().OpenAPISchema()
	must(err)
	check(len(document.GetDefinitions().GetAdditionalProperties()) > 300, "the OpenAPI document has %d definitions", len(document.GetDefinitions().GetAdditionalProperties()))
}

// roundTrips writes with one client over protobuf and reads with another over JSON: both must get the same object.
func roundTrips() {
	asJson := rest.CopyConfig(config)
	asJson.ContentType, asJson.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeJSON
	other := kubernetes.NewForConfigOrDie(asJson)
	options := metav1.CreateOptions{}

	secret, err := client.CoreV1().Secrets(namespace).Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "s"}, Data: map[string][]byte{"k": {0, 255, 128}}}, options)
	must(err)
	readSecret, err := other.CoreV1().Secrets(namespace).Get(ctx, "s", metav1.GetOptions{})
	same(secret, readSecret, err)

	made, err := client.AppsV1().Deployments(namespace).Create(ctx, deployment("web"), options)
	must(err)
	check(made.Spec.Strategy.RollingUpdate.MaxSurge.StrVal == "25%", "the strategy has no defaults: %v", made.Spec.Strategy)
	readDeployment, err := other.AppsV1().Deployments(namespace).Get(ctx, "web", metav1.GetOptions{})
	same(made, readDeployment, err)

	service, err := client.CoreV1().Services(namespace).Create(ctx, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: corev1.ServiceSpec{
		Selector: map[string]string{"app": "web"}, Ports: []corev1.ServicePort{{Port: 80, TargetPort: intstr.FromString("http")}},
	}}, options)
	must(err)
	check(service.Spec.ClusterIP != "", "the Service has no address")
	readService, err := other.CoreV1().Services(namespace).Get(ctx, "web", metav1.GetOptions{})
	same(service, readService, err)

	template := corev1.PodTemplateSpec{Spec: podSpec()}
	template.Spec.RestartPolicy = corev1.RestartPolicyNever
	cron, err := client.BatchV1().CronJobs(namespace).Create(ctx, &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: "nightly"}, Spec: batchv1.CronJobSpec{
		Schedule: "0 3 * * *", JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: template}},
	}}, options)
	must(err)
	readCron, err := other.BatchV1().CronJobs(namespace).Get(ctx, "nightly", metav1.GetOptions{})
	same(cron, readCron, err)

	ingress, err := client.NetworkingV1().Ingresses(namespace).Create(ctx, &networkingv1.Ingress{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: networkingv1.IngressSpec{
		DefaultBackend: &networkingv1.IngressBackend{Service: &networkingv1.IngressServiceBackend{Name: "web", Port: networkingv1.ServiceBackendPort{Number: 80}}},
	}}, options)
	must(err)
	readIngress, err := other.NetworkingV1().Ingresses(namespace).Get(ctx, "web", metav1.GetOptions{})
	same(ingress, readIngress, err)

	role, err := client.RbacV1().Roles(namespace).Create(ctx, &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: "reader"}, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"get", "list"}},
	}}, options)
	must(err)
	readRole, err := other.RbacV1().Roles(namespace).Get(ctx, "reader", metav1.GetOptions{})
	same(role, readRole, err)
}

func same[Object any](written, read Object, err error) {
	must(err)
	check(reflect.DeepEqual(written, read), "written %v\nread    %v", written, read)
}

func reasons() {
	maps := client.CoreV1().ConfigMaps(namespace)
	_, err := maps.Get(ctx, "nobody", metav1.GetOptions{})
	check(apierrors.IsNotFound(err), "%v", err)
	_, err = maps.Create(ctx, configMap("twice", nil), metav1.CreateOptions{})
	must(err)
	_, err = maps.Create(ctx, configMap("twice", nil), metav1.CreateOptions{})
	check(apierrors.IsAlreadyExists(err), "%v", err)
	_, err = maps.Create(ctx, configMap("Bad_Name", nil), metav1.CreateOptions{})
	check(apierrors.IsInvalid(err), "%v", err)
	_, err = maps.List(ctx, metav1.ListOptions{Continue: "garbage"})
	check(apierrors.IsBadRequest(err), "%v", err)
}

func conflicts() {
	maps := client.CoreV1().ConfigMaps(namespace)
	_, err := maps.Create(ctx, configMap("counted", map[string]string{"n": ""}), metav1.CreateOptions{})
	must(err)
	const writers, rounds = 4, 5
	done := make(chan error, writers)
	for range writers {
		go func() {
			for range rounds {
				err := retry.OnError(retry.DefaultBackoff, func(error) bool { return true }, func() error {
					return retry.RetryOnConflict(retry.DefaultRetry, func() error {
						current, err := maps.Get(ctx, "counted", metav1.GetOptions{})
						if err != nil {
							return err
						}
						current.Data["n"] += "x"
						_, err = maps.Update(ctx, current, metav1.UpdateOptions{})
						return err
					})
				})
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range writers {
		must(<-done)
	}
	counted, err := maps.Get(ctx, "counted", metav1.GetOptions{})
	must(err)
	check(len(counted.Data["n"]) == writers*rounds, "%d of %d updates exist", len(counted.Data["n"]), writers*rounds)
}

func informer() {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	lister := factory.Core().V1().ConfigMaps().Lister().ConfigMaps(namespace)
	mapInformer := factory.Core().V1().ConfigMaps().Informer()
	deleted := make(chan string, 10)
	_, err := mapInformer.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(object any) {
		if object, ok := object.(*corev1.ConfigMap); ok {
			deleted <- object.Name
		}
	}})
	must(err)
	stop := make(chan struct{})
	factory.Start(stop)
	check(cache.WaitForCacheSync(ctx.Done(), mapInformer.HasSynced), "the cache is not synced")
	maps := client.CoreV1().ConfigMaps(namespace)
	for at := range 20 {
		_, err := maps.Create(ctx, configMap(fmt.Sprintf("cached-%d", at), map[string]string{"v": "1"}), metav1.CreateOptions{})
		must(err)
	}
	_, err = maps.Patch(ctx, "cached-3", types.StrategicMergePatchType, []byte(`{"data":{"v":"2"}}`), metav1.PatchOptions{})
	must(err)
	must(maps.Delete(ctx, "cached-4", metav1.DeleteOptions{}))
	eventually("the cache has the last state", func() bool {
		patched, err := lister.Get("cached-3")
		_, missing := lister.Get("cached-4")
		_, last := lister.Get("cached-19")
		return err == nil && patched.Data["v"] == "2" && apierrors.IsNotFound(missing) && last == nil
	})
	check(<-deleted == "cached-4", "another one was deleted")
	close(stop)
	factory.Shutdown()
}

func retryWatch() {
	maps := client.CoreV1().ConfigMaps(namespace)
	first, err := maps.Create(ctx, configMap("watched-0", nil), metav1.CreateOptions{})
	must(err)
	// Streams of one second: the retrying watcher must resume several times.
	short := &cache.ListWatch{WatchFunc: func(options metav1.ListOptions) (watch.Interface, error) {
		options.TimeoutSeconds = ptr.To[int64](1)
		return maps.Watch(ctx, options)
	}}
	watcher, err := watchtools.NewRetryWatcherWithContext(ctx, first.ResourceVersion, short)
	must(err)
	defer watcher.Stop()
	go func() {
		for at := 1; at <= 6; at++ {
			time.Sleep(400 * time.Millisecond)
			_, err := maps.Create(ctx, configMap(fmt.Sprintf("watched-%d", at), nil), metav1.CreateOptions{})
			must(err)
		}
	}()
	for at := 1; at <= 6; {
		event := <-watcher.ResultChan()
		if event.Type == watch.Bookmark {
			continue
		}
		added, ok := event.Object.(*corev1.ConfigMap)
		check(ok && event.Type == watch.Added && added.Name == fmt.Sprintf("watched-%d", at), "event %d is %v %v", at, event.Type, event.Object)
		at++
	}
}

func pages() {
	maps := client.CoreV1().ConfigMaps(namespace)
	whole, err := maps.List(ctx, metav1.ListOptions{})
	must(err)
	paged := pager.New(pager.SimplePageFunc(func(options metav1.ListOptions) (runtime.Object, error) { return maps.List(ctx, options) }))
	paged.PageSize = 7
	var names []string
	must(paged.EachListItem(ctx, metav1.ListOptions{}, func(object runtime.Object) error {
		names = append(names, object.(*corev1.ConfigMap).Name)
		return nil
	}))
	check(len(names) == len(whole.Items), "%d of %d", len(names), len(whole.Items))
	for at, item := range whole.Items {
		check(item.Name == names[at], "%s stands for %s", names[at], item.Name)
	}
}

func apply() {
	maps := client.CoreV1().ConfigMaps(namespace)
	first := metav1.ApplyOptions{FieldManager: "first"}
	_, err := maps.Apply(ctx, applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"a": "1", "b": "1"}), first)
	must(err)
	second := metav1.ApplyOptions{FieldManager: "second"}
	_, err = maps.Apply(ctx, applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"b": "2"}), second)
	check(apierrors.IsConflict(err), "%v", err)
	second.Force = true
	_, err = maps.Apply(ctx, applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"b": "2"}), second)
	must(err)
	applied, err := maps.Apply(ctx, applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{}), first)
	must(err)
	check(reflect.DeepEqual(applied.Data, map[string]string{"b": "2"}), "%v", applied.Data)
	extracted, err := applycorev1.ExtractConfigMap(applied, "second")
	must(err)
	check(reflect.DeepEqual(extracted.Data, map[string]string{"b": "2"}), "%v", extracted.Data)

	spec := applycorev1.PodSpec().WithContainers(applycorev1.Container().WithName("main").WithImage("nginx:2"))
	labels := map[string]string{"app": "applied"}
	deployed, err := client.AppsV1().Deployments(namespace).Apply(ctx, applyappsv1.Deployment("applied", namespace).WithSpec(
		applyappsv1.DeploymentSpec().WithSelector(applymetav1.LabelSelector().WithMatchLabels(labels)).
			WithTemplate(applycorev1.PodTemplateSpec().WithLabels(labels).WithSpec(spec))), first)
	must(err)
	check(*deployed.Spec.Replicas == 1, "%v", deployed.Spec)
}

func subresources() {
	deployments := client.AppsV1().Deployments(namespace)
	scale, err := deployments.GetScale(ctx, "web", metav1.GetOptions{})
	must(err)
	scale.Spec = autoscalingv1.ScaleSpec{Replicas: 5}
	_, err = deployments.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{})
	must(err)
	current, err := deployments.Get(ctx, "web", metav1.GetOptions{})
	must(err)
	check(*current.Spec.Replicas == 5 && current.Generation == 2, "%d replicas, generation %d", *current.Spec.Replicas, current.Generation)
	current.Status.Replicas, current.Status.ObservedGeneration = 5, current.Generation
	current.Spec.Replicas = ptr.To[int32](1)
	updated, err := deployments.UpdateStatus(ctx, current, metav1.UpdateOptions{})
	must(err)
	check(*updated.Spec.Replicas == 5 && updated.Status.Replicas == 5 && updated.Generation == 2, "%v", updated)
}

func eviction() {
	labels := map[string]string{"app": "evicted"}
	pods := client.CoreV1().Pods(namespace)
	_, err := pods.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "evicted", Labels: labels}, Spec: podSpec()}, metav1.CreateOptions{})
	must(err)
	running := []byte(`{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`)
	_, err = pods.Patch(ctx, "evicted", types.MergePatchType, running, metav1.PatchOptions{}, "status")
	must(err)
	_, err = client.PolicyV1().PodDisruptionBudgets(namespace).Create(ctx, &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: "budget"},
		Spec:       policyv1.PodDisruptionBudgetSpec{MinAvailable: ptr.To(intstr.FromInt32(1)), Selector: &metav1.LabelSelector{MatchLabels: labels}},
	}, metav1.CreateOptions{})
	must(err)
	// Sets the status as the controller does: until then the server answers 429 with Retry-After 10.
	observed := []byte(`{"status":{"observedGeneration":1,"expectedPods":1,"currentHealthy":1,"desiredHealthy":1,"disruptionsAllowed":0}}`)
	_, err = client.PolicyV1().PodDisruptionBudgets(namespace).Patch(ctx, "budget", types.MergePatchType, observed, metav1.PatchOptions{}, "status")
	must(err)
	evict := func() error {
		return client.PolicyV1().Evictions(namespace).Evict(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "evicted", Namespace: namespace}})
	}
	err = evict()
	check(apierrors.IsTooManyRequests(err), "the budget did not reject the eviction: %v", err)
	must(client.PolicyV1().PodDisruptionBudgets(namespace).Delete(ctx, "budget", metav1.DeleteOptions{}))
	must(evict())
}

func dynamicAndMetadata() {
	kind := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	loose := dynamic.NewForConfigOrDie(config).Resource(kind).Namespace(namespace)
	list, err := loose.List(ctx, metav1.ListOptions{})
	must(err)
	strict, err := client.AppsV1().Deployments(namespace).List(ctx, metav1.ListOptions{})
	must(err)
	check(len(list.Items) == len(strict.Items), "%d and %d", len(list.Items), len(strict.Items))
	web, err := loose.Get(ctx, "web", metav1.GetOptions{})
	must(err)
	must(unstructured.SetNestedField(web.Object, int64(7), "spec", "replicas"))
	_, err = loose.Update(ctx, web, metav1.UpdateOptions{})
	must(err)

	bare, err := metadata.NewForConfig(config)
	must(err)
	partial, err := bare.Resource(kind).Namespace(namespace).Get(ctx, "web", metav1.GetOptions{})
	must(err)
	check(partial.Name == "web" && partial.Labels["app"] == "web", "%v", partial)
}

func election() {
	led := make(chan string, 2)
	run := func(identity string) context.CancelFunc {
		running, stop := context.WithCancel(ctx)
		lock := &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "leader", Namespace: namespace},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: identity},
		}
		go leaderelection.RunOrDie(running, leaderelection.LeaderElectionConfig{
			Lock: lock, ReleaseOnCancel: true, LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: 200 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) { led <- identity }, OnStoppedLeading: func() {}},
		})
		return stop
	}
	stopFirst := run("first")
	check(<-led == "first", "the first does not lead")
	stopSecond := run("second")
	stopFirst()
	check(<-led == "second", "the second does not lead")
	stopSecond()
}
