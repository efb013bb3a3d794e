import type { BetaTesting } from '#plugin-kit/capabilities/stores'
import type { PluginContext } from '#plugin-kit/context'
import { buildOf, type WorldBuild } from '../shared/store_build.js'
import { allOf, asItIs, listOf, named, observed, pageOf } from '../shared/world_pages.js'
import { packageOf, refusal, withEdit, type Edit } from './edits.js'
import { rawOf, type EditRelease, type WorldRelease } from './releases.js'

/** The plugin kit's states for a release on a testing track. */
const STATES = {
  DRAFT: 'processing',
  NOT_SENT_FOR_REVIEW: 'processing',
  IN_REVIEW: 'inReview',
  NOT_APPROVED: 'rejected',
  APPROVED_NOT_PUBLISHED: 'inReview',
  inProgress: 'testing',
  completed: 'testing',
  halted: 'expired',
} as const

/** The least advanced state first: of several tracks, the one that is furthest behind counts. */
const ORDER = Object.keys(STATES)

interface Track {
  id: string
  name: string
  internal: boolean
}

const isTesting = ({ id }: Track) => id !== 'production'

/** Testing tracks of the Google Play of a simulated world. */
export default class SimulatedTestingTracks implements BetaTesting {
  constructor(private readonly ctx: PluginContext) {}

  async listGroups(cursor?: string) {
    const page = await pageOf<Track>(this.ctx, { ...this.#at('tracks'), query: { cursor } })
    return { ...page, items: page.items.filter(isTesting) }
  }

  async listBuilds(filter: { version?: string; since?: string }, cursor?: string) {
    const query = { ...filter, ...named(filter.version), cursor }
    const present = asItIs(this.ctx)
    const page = await pageOf<WorldBuild>(this.ctx, { ...this.#at('bundles'), query })
    return { ...page, items: page.items.map((each) => buildOf(this.ctx, each, present)) }
  }

  /**
   * Stores notes in the releases of testing tracks with the build, or else in a draft on the
   * internal track.
   */
  async setNotes(buildId: string, notes: { locale: string; text: string }[]): Promise<void> {
    const { number, version } = await this.#build(buildId)
    const tracks = await allOf<Track>(this.ctx, this.#at('tracks'))
    const testing = tracks.filter(isTesting)
    const internalTrack = testing.find(({ internal }) => internal) ?? testing[0]
    await withEdit(this.ctx, async (edit) => {
      const changed: string[] = []
      for (const { id } of testing) {
        const releases = await edit.releases(id)
        if (!releases.some((each) => has(each, number))) continue
        changed.push(id)
        await edit.place(
          id,
          releases.map((each) => (has(each, number) ? noted(each, notes) : each))
        )
      }
      if (changed.length === 0 && internalTrack) {
        const draft = noted(releaseOf({ number, version }, 'draft'), notes)
        await edit.place(internalTrack.id, [...(await edit.releases(internalTrack.id)), draft])
      }
      await this.#keepUnsent(edit, tracks, changed)
      await edit.commit()
    })
  }

  async distribute(buildId: string, groupIds: string[]) {
    const build = await this.#build(buildId)
    const tracks = await allOf<Track>(this.ctx, this.#at('tracks'))
    const known = tracks.filter(isTesting)
    const unknownTrack = groupIds.find((id) => !known.some((each) => each.id === id))
    if (unknownTrack !== undefined) {
      throw refusal('notFound', 'trackUnknown', `There is no testing track ${unknownTrack}`)
    }
    const made = await withEdit(this.ctx, async (edit) => {
      const changed: string[] = []
      for (const track of groupIds) if (await give(edit, track, build)) changed.push(track)
      if (changed.length > 0) {
        await this.#keepUnsent(edit, tracks, changed)
        return (await edit.commit()).releases
      }
      await edit.drop()
      return []
    })
    const present = asItIs(this.ctx)
    const reported = await Promise.all(
      groupIds.map(async (track) => {
        const own = made.filter((each) => each.track === track)
        const { items, seen } =
          own.length > 0 ? { items: own, seen: present } : await this.#listed(track)
        const release = items.find((each) => has(each, build.number))
        return { raw: release ? rawOf(release) : 'DRAFT', seen }
      })
    )
    reported.sort((one, other) => ORDER.indexOf(one.raw) - ORDER.indexOf(other.raw))
    const [{ raw, seen } = { raw: 'DRAFT', seen: present }] = reported
    return observed(this.ctx, STATES, raw, seen)
  }

  /** Keeps waiting changes of other tracks out of a commit that sends changes of some. */
  async #keepUnsent(edit: Edit, tracks: readonly Track[], changed: readonly string[]) {
    const isSent = tracks.some(({ id, internal }) => !internal && changed.includes(id))
    if (!isSent) return
    for (const { id } of tracks.filter((each) => !changed.includes(each.id))) {
      const { items } = await this.#listed(id)
      const present = await edit.releases(id)
      const sendable = await edit.sendable(id, items)
      const isSame = JSON.stringify(present) === JSON.stringify(sendable)
      if (!isSame) await edit.place(id, sendable)
    }
  }

  async #build(id: string): Promise<WorldBuild> {
    const all = await allOf<WorldBuild>(this.ctx, this.#at('bundles'))
    const found = all.find((each) => each.id === id)
    if (found) return found
    throw refusal('notFound', 'buildUnknown', `There is no build ${id}`)
  }

  #listed(track: string) {
    return listOf<WorldRelease>(this.ctx, this.#at('tracks/{track}/releases', { track }))
  }

  #at(path: string, params: Record<string, string> = {}) {
    return {
      path: `/v1/google/{package}/${path}`,
      params: { package: packageOf(this.ctx), ...params },
    }
  }
}

const has = ({ versionCodes }: EditRelease, number: string) => versionCodes.includes(number)

const releaseOf = (
  { number, version }: Pick<WorldBuild, 'number' | 'version'>,
  status: 'draft' | 'completed'
): EditRelease => ({
  name: `${version} (${number})`,
  versionCodes: [number],
  status,
  userFraction: null,
  releaseNotes: [],
})

/** Gives a build to the testers of a track. @returns false if they have it already */
async function give(edit: Edit, track: string, build: WorldBuild): Promise<boolean> {
  const releases = await edit.releases(track)
  const before = releases.find((each) => has(each, build.number))
  if (before && before.status !== 'draft') return false
  const given = { ...(before ?? releaseOf(build, 'completed')), status: 'completed' as const }
  await edit.place(track, [...releases.filter((each) => each !== before), given])
  return true
}

function noted(
  release: EditRelease,
  notes: readonly { locale: string; text: string }[]
): EditRelease {
  const isGiven = (language: string) => notes.some(({ locale }) => locale === language)
  const kept = release.releaseNotes.filter(({ language }) => !isGiven(language))
  const added = notes.map(({ locale, text }) => ({ language: locale, text }))
  return { ...release, releaseNotes: [...kept, ...added] }
}
