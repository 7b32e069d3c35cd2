// The choice of a team for videos, or of oneself.

import { useState } from "preact/hooks";
import { ApiError, post } from "../../api/client";
import type { MovedVideosAnswer, TeamItemAnswer } from "../../api/types";
import { Dialog } from "../../ui/dialog";
import { useErrorTexts } from "../../ui/error_text";
import { Icon } from "../../ui/icons";
import { notify, notifyError } from "../../ui/toasts";
import { useTeamWords } from "./words";

interface Props {
  ids: string[];
  /** Those to which the person may move videos. */
  teams: TeamItemAnswer[];
  close: () => void;
  done: () => void;
}

export function MoveToTeam({ ids, teams, close, done }: Props) {
  const words = useTeamWords();
  const texts = useErrorTexts();
  const [isMoving, setIsMoving] = useState(false);
  const move = async (teamId: string | null) => {
    setIsMoving(true);
    try {
      const body = { video_ids: ids, team_id: teamId };
      const { results } = await post<MovedVideosAnswer>("/api/videos/move", { body });
      const failed = results.filter((item) => !item.is_done);
      if (failed.length < results.length) notify(words.moved(results.length - failed.length));
      const first = failed[0];
      if (first !== undefined) {
        const why = texts.lineOf(new ApiError(409, first.code ?? "", first.message ?? ""));
        notifyError(words.notMoved(failed.length, why));
      }
      done();
      close();
    } catch (error) {
      notifyError(error);
      setIsMoving(false);
    }
  };
  return (
    <Dialog title={words.moveTitle(ids.length)} close={close}>
      <p class="soft">{words.moveText}</p>
      <ul class="collection-choices">
        {teams.map((team) => (
          <li key={team.team_id}>
            <button type="button" disabled={isMoving} onClick={() => void move(team.team_id)}>
              <Icon name="people" />
              <span>{team.name}</span>
              <span class="soft number">{words.members(team.members)}</span>
            </button>
          </li>
        ))}
        <li>
          <button type="button" disabled={isMoving} onClick={() => void move(null)}>
            <Icon name="key" />
            <span>{words.mine}</span>
            <span />
          </button>
        </li>
      </ul>
    </Dialog>
  );
}
