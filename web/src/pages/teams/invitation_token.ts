// The invitation that this tab was opened with. Its token is after # in the address, where no server sees it, and survives the way
// to an identity provider and back in the storage of the tab.

const KEY = "sightline.invitation";

/** Reads it from the address and takes it out, so that it is not passed on by accident. */
export function takeInvitation(): string | null {
  const found = location.hash.slice(1);
  if (found !== "") {
    sessionStorage.setItem(KEY, found);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY);
}

export const forgetInvitation = (): void => sessionStorage.removeItem(KEY);
