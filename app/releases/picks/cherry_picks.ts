import type Release from '../models/release.js'
import type { ReleaseRow } from '../queries/read_release.js'
import type { CherryPick } from '../tables.js'

/** A commit that was asked to be picked, and how far that is. */
export interface RequestedPick extends CherryPick {
  commit: string
}

const REQUESTED: CherryPick = {
  status: 'requested',
  failure: null,
  pickedAs: null,
  dismissed: null,
}

/** The commits that are picked onto the branch of a release, in the order they were named. */
export const requestedPicks = ({
  hotfixOptions,
}: Pick<ReleaseRow, 'hotfixOptions'>): RequestedPick[] =>
  [...new Set(hotfixOptions?.cherryPickCommits)].map((commit) => ({
    commit,
    ...(hotfixOptions!.picks?.[commit] ?? REQUESTED),
  }))

/** Those of them that the branch has not, and that nobody dismissed. */
export const openPicks = (release: Pick<ReleaseRow, 'hotfixOptions'>): RequestedPick[] =>
  requestedPicks(release).filter(({ status }) => status === 'requested' || status === 'failed')

/** Keeps how far picks are; the caller saves the release. */
export function keepPicks(
  release: Pick<Release, 'hotfixOptions'>,
  commits: readonly string[],
  change: Partial<CherryPick>
): void {
  const options = release.hotfixOptions!
  const picks = { ...options.picks }
  for (const commit of commits) picks[commit] = { ...(picks[commit] ?? REQUESTED), ...change }
  release.hotfixOptions = { ...options, picks }
}
