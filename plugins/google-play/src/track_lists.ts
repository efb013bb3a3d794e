import type { androidpublisher_v3 } from '@googleapis/androidpublisher'
import { readEdit } from './edits.js'
import { freshnessOfList, type GooglePlay, type Freshness } from './google.js'
import { placedOn, type Placed } from './releases.js'

/*
 * Releases are read from two sources: an edit has their shares, and a list of each track the states
 * of their reviews.
 */

/** Reads Google's list of a track's releases, at most twenty: one call, without an edit. */
export async function summariesOf(
  play: GooglePlay,
  track: string
): Promise<androidpublisher_v3.Schema$ReleaseSummary[]> {
  const parent = `applications/${play.packageName}/tracks/${track}`
  const { releases } = await play.call((publisher, options) =>
    publisher.applications.tracks.releases.list({ parent }, options)
  )
  return releases ?? []
}

/** Reads the releases of all tracks: three calls, and one for each track with releases. */
export async function placedOnAll(
  play: GooglePlay,
  isMeant: (placed: Placed) => boolean = () => true
): Promise<{ placed: Placed[]; seen: Freshness }> {
  const seen = freshnessOfList(play.ctx)
  const tracks = await readEdit(play, (edit) => edit.tracks())
  const placed: Placed[] = []
  for (const track of tracks) {
    const unlisted = placedOn(track, [])
    const isAsked = unlisted.some(isMeant)
    const summaries = isAsked ? await summariesOf(play, track.track ?? '') : []
    placed.push(...(isAsked ? placedOn(track, summaries) : unlisted))
  }
  return { placed, seen }
}
