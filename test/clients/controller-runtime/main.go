// Command scenario uses a cluster with controller-runtime as operators do: a cached client, a controller that owns objects, and a
// manager with leader election. It prints one line per step and exits with 1 at the first that fails.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/config"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const (
	namespace = "scenario-controller-runtime"
	finalizer = "example.com/scenario"
)

var widgets = schema.GroupVersionKind{Group: "controller-runtime.example.com", Version: "v1", Kind: "Widget"}

func main() {
	log.SetLogger(zap.New(zap.WriteTo(os.Stderr)))
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	must(run(ctx))
}

func run(ctx context.Context) error {
	config, err := config.GetConfig()
	if err != nil {
		return err
	}
	direct, err := client.New(config, client.Options{})
	if err != nil {
		return err
	}
	if err := direct.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}); err != nil {
		return err
	}
	if err := define(ctx, direct); err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, manager.Options{
		Metrics:                 server.Options{BindAddress: "0"},
		LeaderElection:          true,
		LeaderElectionID:        "scenario",
		LeaderElectionNamespace: namespace,
	})
	if err != nil {
		return err
	}
	if err := ctrl.NewControllerManagedBy(manager).For(newWidget("")).Owns(&corev1.ConfigMap{}).Complete(&reconciler{manager.GetClient()}); err != nil {
		return err
	}
	running := make(chan error, 1)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() { running <- manager.Start(ctx) }()
	if err := useController(ctx, direct, manager.GetClient()); err != nil {
		return err
	}
	stop()
	if err := <-running; err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	fmt.Println("the manager stops")
	return nil
}

// define creates the custom resource and waits until it is served.
func define(ctx context.Context, direct client.Client) error {
	definition := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   map[string]any{"name": "widgets." + widgets.Group},
		"spec": map[string]any{
			"group": widgets.Group,
			"scope": "Namespaced",
			"names": map[string]any{"plural": "widgets", "kind": widgets.Kind},
			"versions": []any{map[string]any{
				"name": widgets.Version, "served": true, "storage": true,
				"subresources": map[string]any{"status": map[string]any{}},
				"schema":       map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
			}},
		},
	}}
	if err := direct.Create(ctx, definition); err != nil {
		return err
	}
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(widgets)
	err := until(ctx, func() (bool, error) { return direct.List(ctx, list) == nil, nil })
	fmt.Println("a custom resource is served")
	return err
}

// useController observes what the controller does with a widget, through the cache of the manager.
func useController(ctx context.Context, direct, cached client.Client) error {
	if err := direct.Create(ctx, newWidget("w")); err != nil {
		return err
	}
	key := client.ObjectKey{Namespace: namespace, Name: "w"}
	owned := &corev1.ConfigMap{}
	if err := until(ctx, func() (bool, error) { return found(cached.Get(ctx, key, owned)) }); err != nil {
		return err
	}
	fmt.Println("the controller creates an owned object")
	if err := direct.Delete(ctx, owned); err != nil {
		return err
	}
	before := owned.UID
	if err := until(ctx, func() (bool, error) {
		exists, err := found(cached.Get(ctx, key, owned))
		return exists && owned.UID != before, err
	}); err != nil {
		return err
	}
	fmt.Println("it creates a deleted object again")
	if err := until(ctx, func() (bool, error) {
		widget := newWidget("w")
		if exists, err := found(cached.Get(ctx, key, widget)); !exists {
			return false, err
		}
		ready, _, err := unstructured.NestedBool(widget.Object, "status", "ready")
		return ready, err
	}); err != nil {
		return err
	}
	fmt.Println("it writes the status")
	if err := direct.Delete(ctx, newWidget("w")); err != nil {
		return err
	}
	if err := until(ctx, func() (bool, error) {
		exists, err := found(direct.Get(ctx, key, newWidget("w")))
		return !exists, err
	}); err != nil {
		return err
	}
	fmt.Println("its finalizer delays the deletion")
	return nil
}

func newWidget(name string) *unstructured.Unstructured {
	widget := &unstructured.Unstructured{}
	widget.SetGroupVersionKind(widgets)
	widget.SetNamespace(namespace)
	widget.SetName(name)
	return widget
}

type reconciler struct{ client client.Client }

// Reconcile owns a config map per widget, writes the status, and finishes deletions.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	widget := newWidget("")
	if err := r.client.Get(ctx, request.NamespacedName, widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if widget.GetDeletionTimestamp() != nil {
		controllerutil.RemoveFinalizer(widget, finalizer)
		return ctrl.Result{}, r.client.Update(ctx, widget)
	}
	if controllerutil.AddFinalizer(widget, finalizer) {
		return ctrl.Result{}, r.client.Update(ctx, widget)
	}
	owned := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: request.Namespace, Name: request.Name}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.client, owned, func() error {
		owned.Data = map[string]string{"of": request.Name}
		return controllerutil.SetControllerReference(widget, owned, r.client.Scheme())
	}); err != nil {
		return ctrl.Result{}, err
	}
	changed := widget.DeepCopy()
	if err := unstructured.SetNestedField(changed.Object, true, "status", "ready"); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.client.Status().Patch(ctx, changed, client.MergeFrom(widget))
}

func until(ctx context.Context, condition func() (bool, error)) error {
	return wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(context.Context) (bool, error) { return condition() })
}

func found(err error) (bool, error) {
	return err == nil, client.IgnoreNotFound(err)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
