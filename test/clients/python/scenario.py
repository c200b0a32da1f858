"""Uses a cluster with the official Python client. Prints one line per step and exits with 1 at the first that fails."""

import threading

from kubernetes import client, config, dynamic, watch
from kubernetes.client.exceptions import ApiException
from kubernetes.stream import stream
from kubernetes.utils import create_from_dict

NAMESPACE = "scenario-python"
SECONDS = 60


def check(condition: bool, what: str) -> None:
    if not condition:
        raise AssertionError(what)


def status_of(request) -> int:
    try:
        request()
    except ApiException as error:
        return error.status
    return 200


def named(name: str) -> client.V1ObjectMeta:
    return client.V1ObjectMeta(name=name)


def objects(core: client.CoreV1Api) -> None:
    created = core.create_namespaced_config_map(NAMESPACE, client.V1ConfigMap(metadata=named("map"), data={"k": "1"}))
    patched = core.patch_namespaced_config_map("map", NAMESPACE, {"data": {"l": "2"}})
    check(patched.data == {"k": "1", "l": "2"}, "a patch merges")
    check(status_of(lambda: core.replace_namespaced_config_map("map", NAMESPACE, created)) == 409, "an old version conflicts")
    check(status_of(lambda: core.read_namespaced_config_map("none", NAMESPACE)) == 404, "a missing object is 404")
    invalid = client.V1ConfigMap(metadata=named("Not_Valid"))
    check(status_of(lambda: core.create_namespaced_config_map(NAMESPACE, invalid)) == 422, "a wrong name is 422")
    print("objects")


def pages(core: client.CoreV1Api) -> None:
    for index in range(5):
        core.create_namespaced_secret(NAMESPACE, client.V1Secret(metadata=named(f"s{index}")))
    names, token = [], None
    while token != "":
        page = core.list_namespaced_secret(NAMESPACE, limit=2, _continue=token)
        check(len(page.items) <= 2, "a page has at most two objects")
        names += [item.metadata.name for item in page.items]
        token = page.metadata._continue or ""
    check(names == [f"s{index}" for index in range(5)], "the pages hold all objects")
    print("pages")


def watches(core: client.CoreV1Api) -> None:
    version = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version

    def write() -> None:
        core.create_namespaced_config_map(NAMESPACE, client.V1ConfigMap(metadata=named("watched")))
        core.patch_namespaced_config_map("watched", NAMESPACE, {"data": {"k": "2"}})
        core.delete_namespaced_config_map("watched", NAMESPACE)

    writer = threading.Thread(target=write)
    writer.start()
    seen = []
    events = watch.Watch()
    for event in events.stream(
        core.list_namespaced_config_map, NAMESPACE, resource_version=version, timeout_seconds=SECONDS
    ):
        seen.append((event["type"], event["object"].metadata.name))
        if event["type"] == "DELETED":
            events.stop()
    writer.join()
    check(seen == [(kind, "watched") for kind in ("ADDED", "MODIFIED", "DELETED")], f"a watch shows all changes: {seen}")
    print("watches")


def custom_resources(api: client.ApiClient) -> None:
    schema = {"type": "object", "properties": {"spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    create_from_dict(
        api,
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.python.example.com"},
            "spec": {
                "group": "python.example.com",
                "scope": "Namespaced",
                "names": {"plural": "widgets", "kind": "Widget"},
                "versions": [version],
            },
        },
    )
    definitions = client.ApiextensionsV1Api(api)
    events = watch.Watch()
    for event in events.stream(definitions.list_custom_resource_definition, timeout_seconds=SECONDS):
        conditions = event["object"].status.conditions or []
        if event["object"].metadata.name == "widgets.python.example.com" and any(
            one.type == "Established" and one.status == "True" for one in conditions
        ):
            events.stop()
    widgets = dynamic.DynamicClient(api).resources.get(api_version="python.example.com/v1", kind="Widget")
    body = {"apiVersion": "python.example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 1}}
    for size in (1, 2):
        body["spec"]["size"] = size
        applied = widgets.server_side_apply(body, "w", NAMESPACE, field_manager="scenario", force_conflicts=True)
    check(applied.spec.size == 2 and applied.metadata.generation == 2, "an applied configuration changes the object")
    check(applied.metadata.managedFields[0].operation == "Apply", "it has an owner")
    print("custom resources")


def connections(core: client.CoreV1Api) -> None:
    container = client.V1Container(name="c", image="busybox", command=["sh", "-c", "echo started; sleep 3600"])
    core.create_namespaced_pod(NAMESPACE, client.V1Pod(metadata=named("pod"), spec=client.V1PodSpec(containers=[container])))
    events = watch.Watch()
    for event in events.stream(
        core.list_namespaced_pod, NAMESPACE, field_selector="metadata.name=pod", timeout_seconds=SECONDS
    ):
        if event["object"].status.phase == "Running":
            events.stop()
    output = stream(
        core.connect_get_namespaced_pod_exec, "pod", NAMESPACE, command=["echo", "over a WebSocket"], stdout=True, stderr=True
    )
    check(output == "over a WebSocket\n", f"a command runs in the container: {output!r}")
    check(core.read_namespaced_pod_log("pod", NAMESPACE) == "started\n", "its log is read")
    print("connections")


def main() -> None:
    config.load_kube_config()
    api = client.ApiClient()
    core = client.CoreV1Api(api)
    core.create_namespace(client.V1Namespace(metadata=named(NAMESPACE)))
    objects(core)
    pages(core)
    watches(core)
    custom_resources(api)
    connections(core)


main()
