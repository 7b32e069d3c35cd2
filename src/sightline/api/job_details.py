"""One job with all details, for operators."""

from fastapi import APIRouter

from sightline.api.answers.jobs import WholeJobAnswer
from sightline.api.dependencies import CurrentPlatform, Operator
from sightline.api.jobs import JobId, names_of_videos
from sightline.jobs import need_job

router = APIRouter(prefix="/jobs", tags=["jobs"])


@router.get("/{job_id}/details")
async def job_details(platform: CurrentPlatform, _: Operator, job_id: JobId) -> WholeJobAnswer:
    """One job with its payload, the job it depends on and its worker. For operators."""
    async with platform.database.transaction() as tx:
        job = await need_job(tx, job_id)
        return WholeJobAnswer.of(job, await names_of_videos(tx, [job]))
