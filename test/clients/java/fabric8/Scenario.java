import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Uses a cluster with the client of fabric8. Prints one line per step and fails at the first that does. */
public class Scenario {
  static final String NAMESPACE = "scenario-fabric8";
  static final long SECONDS = 60;

  public static void main(String[] args) throws Exception {
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      client.namespaces().resource(new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build()).create();
      objects(client);
      watches(client);
      informers(client);
      customResources(client);
      connections(client);
    }
  }

  static ConfigMap map(String name, String value) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).withNamespace(NAMESPACE).endMetadata().addToData("k", value).build();
  }

  static Resource<ConfigMap> at(KubernetesClient client, String name) {
    return client.configMaps().inNamespace(NAMESPACE).withName(name);
  }

  static void objects(KubernetesClient client) {
    ConfigMap created = client.resource(map("map", "1")).create();
    at(client, "map").edit(one -> new ConfigMapBuilder(one).addToData("l", "2").build());
    check(at(client, "map").get().getData().equals(Map.of("k", "1", "l", "2")), "an edit adds a value");
    check(codeOf(() -> client.resource(created).update()) == 409, "an old version conflicts");
    ConfigMap applied = client.resource(map("applied", "3")).serverSideApply();
    check(applied.getMetadata().getManagedFields().get(0).getOperation().equals("Apply"), "an applied object has an owner");
    check(codeOf(() -> client.resource(map("Not_Valid", "1")).create()) == 422, "a wrong name is 422");
    System.out.println("objects");
  }

  static void watches(KubernetesClient client) throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    Watcher<ConfigMap> watcher = new Watcher<>() {
      public void eventReceived(Action action, ConfigMap one) {
        events.add(action + " " + one.getMetadata().getName());
      }

      public void onClose(WatcherException cause) {
        events.add("closed");
      }
    };
    try (Watch watch = at(client, "watched").watch(watcher)) {
      change(client, "watched");
      for (String expected : List.of("ADDED", "MODIFIED", "DELETED")) expect(events, expected + " watched");
    }
    ConfigMap awaited = client.resource(map("awaited", "1")).create();
    at(client, "awaited").waitUntilCondition(one -> one != null && one.getMetadata().getUid().equals(awaited.getMetadata().getUid()), SECONDS, TimeUnit.SECONDS);
    System.out.println("watches over WebSocket");
  }

  static void informers(KubernetesClient client) throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    ResourceEventHandler<ConfigMap> handler = new ResourceEventHandler<>() {
      public void onAdd(ConfigMap one) {
        events.add("add " + one.getMetadata().getName());
      }

      public void onUpdate(ConfigMap before, ConfigMap one) {
        events.add("update " + one.getMetadata().getName());
      }

      public void onDelete(ConfigMap one, boolean isUnknown) {
        events.add("delete " + one.getMetadata().getName());
      }
    };
    try (SharedIndexInformer<ConfigMap> informer = client.configMaps().inNamespace(NAMESPACE).withLabel("informed").inform(handler)) {
      informer.start().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
      ConfigMap labeled = new ConfigMapBuilder(map("informed", "1")).editMetadata().addToLabels("informed", "yes").endMetadata().build();
      client.resource(labeled).create();
      expect(events, "add informed");
      at(client, "informed").edit(one -> new ConfigMapBuilder(one).addToData("k", "2").build());
      expect(events, "update informed");
      check(informer.getIndexer().list().get(0).getData().get("k").equals("2"), "the cache has the change");
      at(client, "informed").delete();
      expect(events, "delete informed");
    }
    System.out.println("informers");
  }

  static void customResources(KubernetesClient client) {
    String definition = "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","
        + "\"metadata\":{\"name\":\"widgets.fabric8.example.com\"},\"spec\":{\"group\":\"fabric8.example.com\",\"scope\":\"Namespaced\","
        + "\"names\":{\"plural\":\"widgets\",\"kind\":\"Widget\"},\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,"
        + "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true}}}]}}";
    CustomResourceDefinition created = client.getKubernetesSerialization().unmarshal(definition, CustomResourceDefinition.class);
    client.resource(created).create();
    client.apiextensions().v1().customResourceDefinitions().withName("widgets.fabric8.example.com").waitUntilCondition(
        Scenario::isEstablished, SECONDS, TimeUnit.SECONDS);
    var widgets = client.genericKubernetesResources("fabric8.example.com/v1", "Widget");
    GenericKubernetesResource widget = client.getKubernetesSerialization().unmarshal(
        "{\"apiVersion\":\"fabric8.example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"},\"size\":1}", GenericKubernetesResource.class);
    widgets.inNamespace(NAMESPACE).resource(widget).create();
    check(widgets.inNamespace(NAMESPACE).list().getItems().size() == 1, "a custom resource is listed");
    System.out.println("custom resources");
  }

  static boolean isEstablished(CustomResourceDefinition one) {
    if (one.getStatus() == null || one.getStatus().getConditions() == null) return false;
    return one.getStatus().getConditions().stream().anyMatch(condition -> condition.getType().equals("Established") && condition.getStatus().equals("True"));
  }

  static void connections(KubernetesClient client) throws Exception {
    client.resource(new PodBuilder().withNewMetadata().withName("pod").withNamespace(NAMESPACE).endMetadata().withNewSpec().addNewContainer()
        .withName("c").withImage("busybox").withCommand("sh", "-c", "echo started; sleep 3600").endContainer().endSpec().build()).create();
    var pod = client.pods().inNamespace(NAMESPACE).withName("pod");
    pod.waitUntilReady(SECONDS, TimeUnit.SECONDS);
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (ExecWatch exec = pod.writingOutput(output).exec("echo", "over a WebSocket")) {
      check(exec.exitCode().get(SECONDS, TimeUnit.SECONDS) == 0, "a command runs in the container");
    }
    check(output.toString().equals("over a WebSocket\n"), "its output is read: " + output);
    check(pod.getLog().equals("started\n"), "the log is read");
    System.out.println("connections");
  }

  /** Creates, changes and deletes a map. */
  static void change(KubernetesClient client, String name) {
    client.resource(map(name, "1")).create();
    at(client, name).edit(one -> new ConfigMapBuilder(one).addToData("k", "2").build());
    at(client, name).delete();
  }

  static void expect(BlockingQueue<String> events, String expected) throws InterruptedException {
    String event = events.poll(SECONDS, TimeUnit.SECONDS);
    check(expected.equals(event), "expected " + expected + ", got " + event);
  }

  static int codeOf(Runnable request) {
    try {
      request.run();
      return 200;
    } catch (KubernetesClientException error) {
      return error.getCode();
    }
  }

  static void check(boolean condition, String what) {
    if (!condition) throw new AssertionError(what);
  }
}
