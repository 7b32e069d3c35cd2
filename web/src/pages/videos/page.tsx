// Videos page: uploads, the library, collections and the trash.

import { useCallback, useRef } from "preact/hooks";
import { get } from "../../api/client";
import type { CollectionAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import type { PageProps } from "../../core/addresses";
import { useMinWidth } from "../../core/element_size";
import { Link, useLocation } from "../../core/router";
import { Button, PageHeader } from "../../ui/basics";
import { Icon, type IconName } from "../../ui/icons";
import { ACCEPTED } from "../../upload/accepted_files";
import { addUpload } from "../../upload/uploads";
import { isEditable, useTeams } from "../teams/use_teams";
import { useTeamWords } from "../teams/words";
import { CollectionsView } from "./collections_view";
import { DropZone } from "./drop_zone";
import { LibraryView } from "./library_view";
import { useLibraryWords } from "./library_words";
import { SharedView } from "./shared_view";
import { useSharedWords } from "./shared_words";
import { TrashView } from "./trash_view";
import { UnfinishedUploads } from "./unfinished_uploads";
import { useVideoWords } from "./words";

const PHONE_PX = 640;
const VIEWS = [
  ["videos", "video"],
  ["collections", "collection"],
  ["shared", "link"],
  ["trash", "trash"],
] as const satisfies readonly (readonly [string, IconName])[];
type View = (typeof VIEWS)[number][0];

export default function VideosPage(_: PageProps) {
  const words = useVideoWords();
  const teamWords = useTeamWords();
  const library = { ...useLibraryWords(), shared: useSharedWords().shared };
  const { query } = useLocation();
  const isPhone = !useMinWidth(PHONE_PX);
  const view: View = VIEWS.find(([name]) => name === query.get("view"))?.[0] ?? "videos";
  const collectionId = query.get("collection");
  const collection = useData(collectionId === null ? null : `collection ${collectionId}`, (signal) =>
    get<CollectionAnswer>(`/api/collections/${encodeURIComponent(collectionId ?? "")}`, { signal }),
  );
  const picker = useRef<HTMLInputElement>(null);
  // What is uploaded while a team is chosen goes to that team.
  const shownTeam = query.get("team");
  const teams = useTeams().value?.teams ?? [];
  const team = teams.find((item) => item.team_id === shownTeam && isEditable(item));
  const teamId = team?.team_id ?? null;
  const upload = useCallback(
    (files: Iterable<File>) => {
      for (const file of files) addUpload(file, null, teamId);
    },
    [teamId],
  );
  const title = collectionId === null ? (view === "videos" ? words.title : library[view]) : collection.value?.name;
  return (
    <>
      <PageHeader title={title ?? words.title}>
        <nav class="views" aria-label={library.views}>
          {VIEWS.map(([name, icon]) => {
            const isHere = collectionId === null ? view === name : name === "collections";
            return (
              <Link
                key={name}
                to={name === "videos" ? "/ui/videos" : `/ui/videos?view=${name}`}
                aria-current={isHere ? "page" : undefined}
              >
                <Icon name={icon} />
                {library[name]}
              </Link>
            );
          })}
        </nav>
        <Button icon="upload" kind="primary" onClick={() => picker.current?.click()}>
          {words.upload}
        </Button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          accept={ACCEPTED}
          aria-label={words.upload}
          onChange={(event) => {
            upload([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
      </PageHeader>
      <DropZone onFiles={upload} text={words.drop} />
      {view === "videos" && team !== undefined && <p class="soft">{teamWords.uploadsTo(team.name)}</p>}
      {view === "videos" && <UnfinishedUploads accept={ACCEPTED} />}
      {view === "videos" && <LibraryView teams={teams} />}
      {view === "collections" && <CollectionsView />}
      {view === "shared" && <SharedView isPhone={isPhone} />}
      {view === "trash" && <TrashView isPhone={isPhone} />}
    </>
  );
}
