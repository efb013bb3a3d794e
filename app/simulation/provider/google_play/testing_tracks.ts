import type { BetaTesting } from '#plugin-kit/capabilities/stores'
import type { PluginContext } from '#plugin-kit/context'
import { buildOf, type WorldBuild } from '../shared/store_build.js'
import { allOf, observed, pageOf } from '../shared/world_pages.js'
import {
  keepUnsent,
  packageOf,
  rawOf,
  refusal,
  withEdit,
  type Edit,
  type EditRelease,
  type WorldRelease,
} from './edits.js'

/** Where a release on a testing track is, in our words. */
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

/** The least far first: what is told of several tracks is that of the one that is behind. */
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
    const query = { ...filter, cursor }
    const page = await pageOf<WorldBuild>(this.ctx, { ...this.#at('bundles'), query })
    return { ...page, items: page.items.map((each) => buildOf(this.ctx, each)) }
  }

  /** Notes are a release's: of those that testers have, or of a draft for the house. */
  async setNotes(buildId: string, notes: { locale: string; text: string }[]): Promise<void> {
    const { number, version } = await this.#build(buildId)
    const tracks = await this.#testing()
    const house = tracks.find(({ internal }) => internal) ?? tracks[0]
    await withEdit(this.ctx, async (edit) => {
      let isNoted = false
      for (const { id } of tracks) {
        const releases = await edit.releases(id)
        const changed = releases.map((each) => (has(each, number) ? noted(each, notes) : each))
        if (!releases.some((each) => has(each, number))) continue
        isNoted = true
        await edit.place(id, changed)
      }
      if (!isNoted && house) {
        const draft = noted(releaseOf({ number, version }, 'draft'), notes)
        await edit.place(house.id, [...(await edit.releases(house.id)), draft])
      }
      await edit.commit({ isKeptBack: true })
    })
  }

  async distribute(buildId: string, groupIds: string[]) {
    const build = await this.#build(buildId)
    const tracks = await allOf<Track>(this.ctx, this.#at('tracks'))
    const known = tracks.filter(isTesting)
    const stranger = groupIds.find((id) => !known.some((each) => each.id === id))
    if (stranger !== undefined) {
      throw refusal('notFound', 'trackUnknown', `There is no testing track ${stranger}`)
    }
    const made = await withEdit(this.ctx, async (edit) => {
      const changed: string[] = []
      for (const track of groupIds) if (await give(edit, track, build)) changed.push(track)
      if (changed.length > 0) {
        const isSent = known.some(({ id, internal }) => !internal && changed.includes(id))
        const others = isSent ? tracks.filter((each) => !isTesting(each)) : []
        for (const { id } of others) await keepUnsent(edit, id, await this.#releases(id))
        return edit.commit({})
      }
      await edit.drop()
      return []
    })
    const states = await Promise.all(
      groupIds.map(async (track) => {
        const told = made.some((each) => each.track === track)
          ? made.filter((each) => each.track === track)
          : await this.#releases(track)
        const release = told.find((each) => has(each, build.number))
        return release ? rawOf(release) : 'DRAFT'
      })
    )
    const [raw = 'DRAFT'] = states.sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other))
    return observed(this.ctx, STATES, raw)
  }

  async #build(id: string): Promise<WorldBuild> {
    const all = await allOf<WorldBuild>(this.ctx, this.#at('bundles'))
    const found = all.find((each) => each.id === id)
    if (found) return found
    throw refusal('notFound', 'buildUnknown', `There is no build ${id}`)
  }

  async #testing(): Promise<Track[]> {
    const all = await allOf<Track>(this.ctx, this.#at('tracks'))
    return all.filter(isTesting)
  }

  #releases(track: string): Promise<WorldRelease[]> {
    return allOf<WorldRelease>(this.ctx, this.#at('tracks/{track}/releases', { track }))
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

/** Gives a build to the testers of a track; those that have it keep it. */
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
