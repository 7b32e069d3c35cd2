"""Names and references inside a CloudFormation template. Pure."""

import re
from typing import Any

Resources = dict[str, dict[str, Any]]


def logical_id(kind: str, name: str) -> str:
    """CloudFormation takes letters and digits only."""
    return kind + "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name))


def ref(name: str) -> dict[str, str]:
    return {"Ref": name}


def attribute(resource: str, name: str = "Arn") -> dict[str, list[str]]:
    return {"Fn::GetAtt": [resource, name]}


def sub(text: str) -> dict[str, str]:
    return {"Fn::Sub": text}


def resource(
    kind: str, properties: dict[str, Any], *, depends_on: list[str] | None = None, keeps_data: bool = False
) -> dict[str, Any]:
    """`keeps_data`: the resource stays when the stack is deleted or replaces it."""
    made: dict[str, Any] = {"Type": kind, "Properties": properties}
    if depends_on:
        made["DependsOn"] = depends_on
    if keeps_data:
        made |= {"DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain"}
    return made


def statement(actions: list[str], resources: Any, **extra: Any) -> dict[str, Any]:
    return {"Effect": "Allow", "Action": actions, "Resource": resources, **extra}


def policy(*statements: dict[str, Any]) -> dict[str, Any]:
    return {"Version": "2012-10-17", "Statement": list(statements)}


def trust(service: str, **condition: Any) -> dict[str, Any]:
    """Who may take on a role."""
    allowed = {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}
    return policy(allowed | ({"Condition": condition} if condition else {}))
