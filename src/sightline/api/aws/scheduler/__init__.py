"""EventBridge Scheduler: schedules and schedule groups."""

from collections.abc import Mapping

from sightline.api.aws.call import Action
from sightline.api.aws.json_protocol import Route
from sightline.api.aws.scheduler import groups, schedules

ACTIONS: Mapping[str, Action] = {
    "CreateSchedule": schedules.create_schedule,
    "UpdateSchedule": schedules.update_schedule,
    "GetSchedule": schedules.get_schedule,
    "DeleteSchedule": schedules.delete_schedule,
    "ListSchedules": schedules.list_schedules,
    "CreateScheduleGroup": groups.create_schedule_group,
    "GetScheduleGroup": groups.get_schedule_group,
    "DeleteScheduleGroup": groups.delete_schedule_group,
    "ListScheduleGroups": groups.list_schedule_groups,
    "TagResource": groups.tag_resource,
    "UntagResource": groups.untag_resource,
    "ListTagsForResource": groups.list_tags_for_resource,
}

_PAGES = {"NamePrefix": "NamePrefix", "NextToken": "NextToken", "MaxResults": "MaxResults"}
_NUMBERS = frozenset({"MaxResults"})
_IN_GROUP = {"groupName": "GroupName", "clientToken": "ClientToken"}

ROUTES = (
    Route("POST", "/schedules/{Name}", "CreateSchedule", {}),
    Route("PUT", "/schedules/{Name}", "UpdateSchedule", {}),
    Route("GET", "/schedules/{Name}", "GetSchedule", _IN_GROUP),
    Route("DELETE", "/schedules/{Name}", "DeleteSchedule", _IN_GROUP),
    Route(
        "GET",
        "/schedules",
        "ListSchedules",
        {**_PAGES, "ScheduleGroup": "GroupName", "State": "State"},
        numbers=_NUMBERS,
    ),
    Route("POST", "/schedule-groups/{Name}", "CreateScheduleGroup", {}),
    Route("GET", "/schedule-groups/{Name}", "GetScheduleGroup", {}),
    Route("DELETE", "/schedule-groups/{Name}", "DeleteScheduleGroup", {"clientToken": "ClientToken"}),
    Route("GET", "/schedule-groups", "ListScheduleGroups", _PAGES, numbers=_NUMBERS),
    Route("POST", "/tags/{ResourceArn}", "TagResource", {}),
    Route("DELETE", "/tags/{ResourceArn}", "UntagResource", {"TagKeys": "TagKeys"}, lists=frozenset({"TagKeys"})),
    Route("GET", "/tags/{ResourceArn}", "ListTagsForResource", {}),
)

__all__ = ["ACTIONS", "ROUTES"]
