"""Names of techniques to choose from when marking."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from sightline.api.dependencies import CallerTransaction
from sightline.contracts.technique_events import Category
from sightline.techniques.marks import names_in_use
from sightline.techniques.names import known_techniques

router = APIRouter(prefix="/api/technique-names", tags=["techniques"])

MAX_OWN_NAMES = 500


class TechniqueNameAnswer(BaseModel):
    name: str = Field(examples=["Scissor Sweep"])
    category: Category = Field(examples=["GUARD_PLAY"])
    name_pt: str = Field(examples=["Raspagem de Tesourinha"], description="The same in Portuguese, if it is known.")
    also: list[str] = Field(examples=[["tesourinha"]], description="Other words to search for it.")
    is_own: bool = Field(examples=[False], description="A name that people gave here, and that no list has.")


class TechniqueNamesAnswer(BaseModel):
    names: list[TechniqueNameAnswer]


@router.get("")
async def technique_names(tx: CallerTransaction) -> TechniqueNamesAnswer:
    """Known names, and those that people gave in videos which the caller may see. Any other name can be used as well."""
    known = [
        TechniqueNameAnswer(
            name=one.name, category=one.category, name_pt=one.name_pt, also=list(one.also), is_own=False
        )
        for one in known_techniques()
    ]
    listed = {one.name.casefold() for one in known}
    own = [
        TechniqueNameAnswer(name=one.name, category=Category(one.category), name_pt=one.name, also=[], is_own=True)
        for one in await names_in_use(tx, limit=MAX_OWN_NAMES)
        if one.name.casefold() not in listed
    ]
    return TechniqueNamesAnswer(names=own + known)
