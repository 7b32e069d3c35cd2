"""Manifests for Kubernetes say what the plan says, run only what exists, and ask for as little as possible."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from sightline.cli import COMMANDS
from sightline.config import Settings, load_settings
from sightline.fleet import FleetPlan, fleet_plan, fleet_services
from sightline.fleet.kubernetes import OVERLAYS, assemble, kubernetes_files
from sightline.fleet.kubernetes.scaling import JOBS_PER_POD
from sightline.fleet.kubernetes.settings import API_PORT, NEEDED_SECRETS, PROBE_PORT
from sightline.fleet.services import camera_service
from sightline.job_types import JOBS

DIRECTORY = Path(__file__).resolve().parents[3] / "deploy" / "kubernetes"
IMAGE = "registry.example.com/sightline:1"
SECRET_VALUES = {"SIGHTLINE_DATABASE_URL": "postgresql://sightline@db/sightline"}


def plan() -> FleetPlan:
    return fleet_plan(Settings.model_validate({"bus": {"stage": "prod"}}))


def made(overlay: str, **options: Any) -> list[dict[str, Any]]:
    return assemble(plan(), OVERLAYS[overlay], image=IMAGE, has_cameras=True, **options)


def of(kind: str, overlay: str = "aws") -> dict[str, dict[str, Any]]:
    return {one["metadata"]["name"]: one for one in made(overlay) if one["kind"] == kind}


def pods(overlay: str) -> dict[str, dict[str, Any]]:
    found = {**of("Deployment", overlay), **of("Job", overlay)}
    return {name: one["spec"]["template"]["spec"] for name, one in found.items()}


def kustomized(folder: Path) -> list[dict[str, Any]]:
    """What kustomize would assemble before it fills in namespace, image and settings: resources, depth first."""
    content = yaml.safe_load((folder / "kustomization.yaml").read_text())
    unlisted = {path.name for path in folder.glob("*.yaml")} - {"kustomization.yaml", *content["resources"]}
    assert unlisted == set(), folder
    found: list[dict[str, Any]] = []
    for name in content["resources"]:
        path = (folder / name).resolve()
        found += kustomized(path) if path.is_dir() else list(yaml.safe_load_all(path.read_text()))
    return found


def bare(manifests: list[dict[str, Any]]) -> list[str]:
    text = yaml.safe_dump_all(manifests).replace(IMAGE, "sightline").replace("  namespace: sightline\n", "")
    return sorted(re.sub(r"sightline-settings-[0-9a-f]{10}", "sightline-settings", text).split("---\n"))


@pytest.mark.req(1010)
def test_one_deployment_for_each_service_of_the_plan_with_its_command():
    commands = {name: spec["containers"][0]["args"] for name, spec in pods("aws").items() if "migrate" not in name}
    services = (*fleet_services(), camera_service())
    assert commands == {f"sightline-{service.name}": list(service.command) for service in services}
    assert {words[0] for words in commands.values()} <= COMMANDS.keys()
    types = [one for words in commands.values() if "--types" in words for one in words[-1].split(",")]
    assert sorted(types) == sorted(JOBS)


@pytest.mark.req(1010)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_the_directory_for_kustomize_is_assembled_to_what_the_command_prints(overlay):
    printed = [one for one in assemble(plan(), OVERLAYS[overlay], image=IMAGE) if one["kind"] != "ConfigMap"]
    assert bare(kustomized(DIRECTORY / "overlays" / overlay)) == bare(printed)


@pytest.mark.req(1011)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_a_process_starts_with_the_settings_of_its_pod(overlay):
    """`load_settings` refuses an unknown name, a value of another type, and addresses without sign-in."""
    [config_map] = of("ConfigMap", overlay).values()
    for name, pod in pods(overlay).items():
        [container] = pod["containers"]
        own = {one["name"]: one.get("value", SECRET_VALUES.get(one["name"])) for one in container["env"]}
        secrets = {secret: SECRET_VALUES.get(secret, "s" * 40) for secret in NEEDED_SECRETS}
        given = {**config_map["data"], **secrets, **own} if "envFrom" in container else own
        loaded = load_settings({key: value for key, value in given.items() if value is not None}, env_file=None)
        assert loaded.settings.database.url is not None, name
        if "envFrom" in container:
            assert loaded.settings.observability.probe_port == PROBE_PORT
            assert loaded.settings.api.port == API_PORT


@pytest.mark.req(1011)
def test_no_service_of_the_cluster_becomes_a_setting():
    """A Service named sightline-api would set SIGHTLINE_API_PORT to an address in every pod."""
    assert {pod["enableServiceLinks"] for pod in pods("aws").values()} == {False}


@pytest.mark.req(1012)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_pods_meet_the_restricted_profile_and_cannot_write_to_their_image(overlay):
    for name, pod in pods(overlay).items():
        assert pod["securityContext"]["runAsNonRoot"], name
        assert pod["securityContext"]["runAsUser"] > 0
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        assert pod["shareProcessNamespace"] is True, "the image has no init"
        for container in pod["containers"]:
            closed = container["securityContext"]
            assert closed["allowPrivilegeEscalation"] is False
            assert closed["capabilities"] == {"drop": ["ALL"]}
            assert closed["readOnlyRootFilesystem"]
            writable = {mount["mountPath"] for mount in container["volumeMounts"]}
            assert writable == {"/var/lib/sightline", "/tmp"}
    [namespace] = of("Namespace", overlay).values()
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"


@pytest.mark.req(1013)
def test_probes_ask_for_addresses_that_exist_on_ports_that_are_listened_on():
    from sightline.api.health import router

    routes = {getattr(route, "path", "") for route in router.routes}
    for name, deployment in of("Deployment").items():
        [container] = deployment["spec"]["template"]["spec"]["containers"]
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        assert ports == ({"http": API_PORT} if name == "sightline-api" else {"probe": PROBE_PORT})
        for probe in ("startupProbe", "livenessProbe"):
            assert container[probe]["httpGet"]["path"] in routes
            assert container[probe]["httpGet"]["port"] in ports
        ready = container["readinessProbe"]
        assert "httpGet" in ready or ready["exec"]["command"][-1] == str(*ports.values())


@pytest.mark.req(1014)
def test_workers_of_videos_go_down_to_none_and_something_else_counts_no_pods_twice():
    scaled = of("ScaledObject")
    for service in fleet_services():
        name = f"sightline-{service.name}"
        deployment = of("Deployment")[name]
        if service.scaled_by in ("jobs", "queues"):
            spec = scaled[name]["spec"]
            assert spec["scaleTargetRef"] == {"name": name}
            assert (spec["minReplicaCount"], spec["maxReplicaCount"]) == (service.minimum, service.maximum)
            assert "replicas" not in deployment["spec"]
        else:
            assert name not in scaled
    none = {name for name, one in scaled.items() if one["spec"]["minReplicaCount"] == 0}
    assert none == {"sightline-work-media", "sightline-work-text", "sightline-work-analysis"}
    assert JOBS_PER_POD.keys() == {service.name for service in fleet_services() if service.scaled_by == "jobs"}
    [autoscaler] = of("HorizontalPodAutoscaler").values()
    assert autoscaler["spec"]["scaleTargetRef"]["name"] == "sightline-api"


@pytest.mark.req(1014)
def test_consumers_grow_by_every_queue_of_the_topology_and_by_no_dead_letters():
    triggers = of("ScaledObject")["sightline-consume"]["spec"]["triggers"]
    assert {one["type"] for one in triggers} == {"aws-sqs-queue"}
    queues = [one["metadata"]["queueURL"] for one in triggers]
    assert queues == [queue.name for queue in plan().topology.queues]


@pytest.mark.req(1014)
def test_every_trigger_signs_in_with_an_authentication_that_exists():
    for overlay in OVERLAYS:
        known = of("TriggerAuthentication", overlay)
        for name, one in of("ScaledObject", overlay).items():
            for trigger in one["spec"]["triggers"]:
                assert trigger["authenticationRef"]["name"] in known, name


@pytest.mark.req(1015)
def test_everything_is_closed_and_each_role_is_opened_to_what_it_needs():
    policies = of("NetworkPolicy")
    closed = policies["sightline-closed"]["spec"]
    assert (closed["policyTypes"], "egress" in closed, "ingress" in closed) == (["Ingress", "Egress"], False, False)
    for name, pod in of("Deployment").items():
        labels = pod["spec"]["template"]["metadata"]["labels"]
        reached = {
            port["port"]
            for policy in policies.values()
            if _selects(policy["spec"]["podSelector"], labels)
            for rule in policy["spec"].get("egress", [])
            for port in rule.get("ports", [{"port": "any"}])
        }
        assert {53, 5432, 443} <= reached, name
        assert ("any" in reached) == (name == "sightline-cameras")
        assert (587 in reached) == (name == "sightline-consume")
    for policy in policies.values():
        for rule in policy["spec"].get("egress", []):
            for block in (to["ipBlock"] for to in rule["to"] if "ipBlock" in to):
                assert "except" in block or block["cidr"] == "169.254.170.23/32", policy["metadata"]["name"]


def _selects(selector: dict[str, Any], labels: dict[str, str]) -> bool:
    for one in selector.get("matchExpressions", []):
        if (labels[one["key"]] in one["values"]) != (one["operator"] == "In"):
            return False
    return all(labels.get(key) == value for key, value in selector["matchLabels"].items())


@pytest.mark.req(1016)
def test_a_disruption_takes_one_pod_of_each_service_at_a_time():
    budgets = of("PodDisruptionBudget")
    deployments = of("Deployment")
    assert budgets.keys() == deployments.keys()
    for name, budget in budgets.items():
        assert budget["spec"]["maxUnavailable"] == 1
        assert budget["spec"]["selector"] == deployments[name]["spec"]["selector"]


@pytest.mark.req(1016)
def test_the_migration_is_a_job_of_each_version_that_needs_the_database_alone():
    [(name, job)] = of("Job").items()
    assert re.fullmatch(r"sightline-migrate-[\d-]+", name)
    [container] = job["spec"]["template"]["spec"]["containers"]
    assert container["args"] == ["migrate"]
    assert "envFrom" not in container


@pytest.mark.req(1010)
def test_a_changed_setting_changes_the_pods():
    def names(public_url: str) -> set[str]:
        settings = Settings.model_validate({"bus": {"stage": "prod"}, "api": {"public_url": public_url}})
        found = assemble(fleet_plan(settings), OVERLAYS["aws"], image=IMAGE)
        return {
            source["configMapRef"]["name"]
            for one in found
            if one["kind"] == "Deployment"
            for source in one["spec"]["template"]["spec"]["containers"][0]["envFrom"]
            if "configMapRef" in source
        }

    assert len(names("https://a.example.com") | names("https://b.example.com")) == 2


@pytest.mark.req(1010)
def test_everything_is_in_the_namespace_that_was_asked_for():
    for one in made("aws", namespace="video"):
        where = one["metadata"]["name"] if one["kind"] == "Namespace" else one["metadata"]["namespace"]
        assert where == "video"


def test_the_files_have_the_stage_of_their_settings():
    files = kubernetes_files(plan())
    assert "SIGHTLINE_BUS_STAGE=prod\n" in files["overlays/aws/settings.env"]
    assert "rez-agent-message-queue-prod" in files["overlays/aws/consume-scaling.yaml"]
