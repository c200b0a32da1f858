import io.kubernetes.client.Exec;
import io.kubernetes.client.PodLogs;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Configuration;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.InputStreamReader;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Uses a cluster with the official Java client. Prints one line per step and fails at the first that does. */
public class Scenario {
  static final String NAMESPACE = "scenario-java";
  static final long SECONDS = 60;

  public static void main(String[] args) throws Exception {
    ApiClient client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new FileReader(System.getenv("KUBECONFIG")))).build();
    client.setReadTimeout(0);
    Configuration.setDefaultApiClient(client);
    CoreV1Api core = new CoreV1Api(client);
    core.createNamespace(new V1Namespace().metadata(named(NAMESPACE))).execute();
    objects(core);
    watches(client, core);
    informers(client, core);
    generic(client);
    connections(client, core);
    System.exit(0);
  }

  static V1ObjectMeta named(String name) {
    return new V1ObjectMeta().name(name);
  }

  static V1ConfigMap map(String name, String value) {
    return new V1ConfigMap().metadata(named(name).namespace(NAMESPACE)).putDataItem("k", value);
  }

  static void objects(CoreV1Api core) throws ApiException {
    V1ConfigMap created = core.createNamespacedConfigMap(NAMESPACE, map("map", "1")).execute();
    V1Patch patch = new V1Patch("[{\"op\":\"add\",\"path\":\"/data/l\",\"value\":\"2\"}]");
    V1ConfigMap patched = PatchUtils.patch(V1ConfigMap.class, () -> core.patchNamespacedConfigMap("map", NAMESPACE, patch).buildCall(null),
        V1Patch.PATCH_FORMAT_JSON_PATCH, core.getApiClient());
    check(patched.getData().equals(Map.of("k", "1", "l", "2")), "a patch adds a value");
    check(codeOf(() -> core.replaceNamespacedConfigMap("map", NAMESPACE, created).execute()) == 409, "an old version conflicts");
    V1Patch applied = new V1Patch("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"applied\"},\"data\":{\"k\":\"3\"}}");
    V1ConfigMap owned = PatchUtils.patch(V1ConfigMap.class,
        () -> core.patchNamespacedConfigMap("applied", NAMESPACE, applied).fieldManager("scenario").force(true).buildCall(null),
        V1Patch.PATCH_FORMAT_APPLY_YAML, core.getApiClient());
    check(owned.getData().equals(Map.of("k", "3")), "an object is applied");
    check(codeOf(() -> core.createNamespacedConfigMap(NAMESPACE, map("Not_Valid", "1")).execute()) == 422, "a wrong name is 422");
    System.out.println("objects");
  }

  static void watches(ApiClient client, CoreV1Api core) throws Exception {
    String version = core.listNamespacedConfigMap(NAMESPACE).execute().getMetadata().getResourceVersion();
    change(core, "watched");
    var call = core.listNamespacedConfigMap(NAMESPACE).resourceVersion(version).watch(true).timeoutSeconds((int) SECONDS).buildCall(null);
    try (Watch<V1ConfigMap> watch = Watch.createWatch(client, call, typeOf())) {
      for (String expected : List.of("ADDED", "MODIFIED", "DELETED")) {
        Watch.Response<V1ConfigMap> event = watch.next();
        check(event.type.equals(expected) && event.object.getMetadata().getName().equals("watched"), "a watch shows " + expected + ": " + event.type);
      }
    }
    System.out.println("watches");
  }

  static java.lang.reflect.Type typeOf() {
    return new com.google.gson.reflect.TypeToken<Watch.Response<V1ConfigMap>>() {}.getType();
  }

  static void informers(ApiClient client, CoreV1Api core) throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    SharedInformerFactory factory = new SharedInformerFactory(client);
    SharedIndexInformer<V1ConfigMap> informer = factory.sharedIndexInformerFor(
        params -> core.listNamespacedConfigMap(NAMESPACE).labelSelector("informed").resourceVersion(params.resourceVersion)
            .timeoutSeconds(params.timeoutSeconds).watch(params.watch).buildCall(null),
        V1ConfigMap.class, V1ConfigMapList.class);
    informer.addEventHandler(new ResourceEventHandler<>() {
      public void onAdd(V1ConfigMap one) {
        events.add("add " + one.getMetadata().getName());
      }

      public void onUpdate(V1ConfigMap before, V1ConfigMap one) {
        events.add("update " + one.getData().get("k"));
      }

      public void onDelete(V1ConfigMap one, boolean isUnknown) {
        events.add("delete " + one.getMetadata().getName());
      }
    });
    factory.startAllRegisteredInformers();
    V1ConfigMap labeled = map("informed", "1");
    labeled.getMetadata().putLabelsItem("informed", "yes");
    V1ConfigMap created = core.createNamespacedConfigMap(NAMESPACE, labeled).execute();
    expect(events, "add informed");
    core.replaceNamespacedConfigMap("informed", NAMESPACE, created.putDataItem("k", "2")).execute();
    expect(events, "update 2");
    core.deleteNamespacedConfigMap("informed", NAMESPACE).execute();
    expect(events, "delete informed");
    factory.stopAllRegisteredInformers();
    System.out.println("informers");
  }

  static void generic(ApiClient client) {
    var maps = new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
    check(maps.create(map("generic", "1")).isSuccess(), "the generic client creates");
    check(maps.get(NAMESPACE, "none").getHttpStatusCode() == 404, "a missing object is 404");
    check(maps.delete(NAMESPACE, "generic").isSuccess(), "the generic client deletes");
    System.out.println("generic");
  }

  static void connections(ApiClient client, CoreV1Api core) throws Exception {
    V1Container container = new V1Container().name("c").image("busybox").command(List.of("sh", "-c", "echo started; sleep 3600"));
    core.createNamespacedPod(NAMESPACE, new V1Pod().metadata(named("pod")).spec(new V1PodSpec().overhead(null).addContainersItem(container))).execute();
    var call = core.listNamespacedPod(NAMESPACE).watch(true).timeoutSeconds((int) SECONDS).buildCall(null);
    try (Watch<V1Pod> watch = Watch.createWatch(client, call, new com.google.gson.reflect.TypeToken<Watch.Response<V1Pod>>() {}.getType())) {
      while (!"Running".equals(watch.next().object.getStatus().getPhase())) continue;
    }
    Process process = new Exec(client).exec(NAMESPACE, "pod", new String[] {"echo", "over a WebSocket"}, false);
    String output = new String(process.getInputStream().readAllBytes());
    check(output.equals("over a WebSocket\n"), "a command runs in the container: " + output);
    check(process.waitFor() == 0, "its exit code is read");
    try (var log = new BufferedReader(new InputStreamReader(new PodLogs(client).streamNamespacedPodLog(NAMESPACE, "pod", "c")))) {
      check(log.readLine().equals("started"), "the log is followed");
    }
    System.out.println("connections");
  }

  /** Creates, changes and deletes a map. */
  static void change(CoreV1Api core, String name) throws ApiException {
    V1ConfigMap created = core.createNamespacedConfigMap(NAMESPACE, map(name, "1")).execute();
    core.replaceNamespacedConfigMap(name, NAMESPACE, created.putDataItem("k", "2")).execute();
    core.deleteNamespacedConfigMap(name, NAMESPACE).execute();
  }

  static void expect(BlockingQueue<String> events, String expected) throws InterruptedException {
    String event = events.poll(SECONDS, TimeUnit.SECONDS);
    check(expected.equals(event), "expected " + expected + ", got " + event);
  }

  interface Request {
    void run() throws ApiException;
  }

  static int codeOf(Request request) {
    try {
      request.run();
      return 200;
    } catch (ApiException error) {
      return error.getCode();
    }
  }

  static void check(boolean condition, String what) {
    if (!condition) throw new AssertionError(what);
  }
}
