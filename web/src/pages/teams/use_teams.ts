// Teams of the signed-in person. Where there are none, the page shows nothing of teams.

import { get } from "../../api/client";
import type { TeamItemAnswer, TeamListAnswer } from "../../api/types";
import { type Data, useData } from "../../api/use_data";

export const useTeams = (): Data<TeamListAnswer> =>
  useData("teams", (signal) => get<TeamListAnswer>("/api/teams", { signal }));

/** Whether the person may upload to the team and change what it has. */
export const isEditable = (team: TeamItemAnswer): boolean => team.role === "owner" || team.role === "editor";
