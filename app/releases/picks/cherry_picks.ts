import type Release from '../models/release.js'
import type { ReleaseRow } from '../queries/read_release.js'
import type { CherryPick } from '../tables.js'

/** A requested cherry-pick, with its progress. */
export interface RequestedPick extends CherryPick {
  commit: string
}

const REQUESTED: CherryPick = {
  status: 'requested',
  failure: null,
  pickedAs: null,
  dismissed: null,
}

/** Returns the requested cherry-picks of a release, in the order of the request. */
export const requestedPicks = ({
  hotfixOptions,
}: Pick<ReleaseRow, 'hotfixOptions'>): RequestedPick[] =>
  [...new Set(hotfixOptions?.cherryPickCommits)].map((commit) => ({
    commit,
    ...(hotfixOptions!.picks?.[commit] ?? REQUESTED),
  }))

/** Returns the requested cherry-picks that are neither picked nor dismissed. */
export const openPicks = (release: Pick<ReleaseRow, 'hotfixOptions'>): RequestedPick[] =>
  requestedPicks(release).filter(({ status }) => status === 'requested' || status === 'failed')

/** Changes the progress of cherry-picks. The caller saves the release. */
export function storePicks(
  release: Pick<Release, 'hotfixOptions'>,
  commits: readonly string[],
  change: Partial<CherryPick>
): void {
  const options = release.hotfixOptions!
  const picks = { ...options.picks }
  for (const commit of commits) picks[commit] = { ...(picks[commit] ?? REQUESTED), ...change }
  release.hotfixOptions = { ...options, picks }
}
