import { flagsIn, turn, type SimulatedFlag } from '#simulated-providers/flags'
import { onCallAt } from '#simulated-providers/on_call'
import { progressOf, upload, type SimulatedTranslations } from '#simulated-providers/translations'
import { versionsUntil } from './arrivals.js'
import {
  answered,
  instantOf,
  instantText,
  noAddress,
  objectsIn,
  paged,
  Refusal,
  textIn,
  type Answered,
  type WorldRequest,
} from './http.js'
import type { World } from './world.js'

/*
 * What feature flags, on-call and translations of a world answer.
 */

export function answerOfFlags(world: World, _now: number, asked: WorldRequest): Answered {
  const { path, query, isChange, body } = asked
  const [environment, key] = path
  if (environment === undefined || environment === '') throw noAddress()
  const flags = flagsIn(world.flags, environment)
  if (key === undefined) {
    if (isChange) throw noAddress()
    const wanted = (query.get('query') ?? '').toLowerCase()
    const found = flags.filter((each) => `${each.key} ${each.name}`.toLowerCase().includes(wanted))
    return answered(world, paged(found, query, shownFlag))
  }
  const find = (of: World) => flagsIn(of.flags, environment).find((each) => each.key === key)
  if (!isChange) {
    const flag = find(world)
    if (!flag) throw new Refusal(404, `There is no flag ${key}`)
    return answered(world, shownFlag(flag))
  }
  if (typeof body.enabled !== 'boolean') throw new Refusal(422, 'It is not said whether it is on')
  const etag = typeof body.etag === 'string' ? body.etag : null
  const turned = turn(world.flags, { environment, key }, { enabled: body.enabled, etag })
  if (turned === 'flagUnknown') throw new Refusal(404, `There is no flag ${key}`)
  if (turned === 'flagChanged') throw new Refusal(412, 'The flag was changed meanwhile')
  const next = { ...world, flags: turned }
  return answered(next, shownFlag(find(next)!))
}

const shownFlag = ({ key, name, enabled, etag }: SimulatedFlag) => ({ key, name, enabled, etag })

export function answerOfOnCall(world: World, now: number, asked: WorldRequest): Answered {
  const { path, query, isChange } = asked
  const [what, scheduleId, more] = path
  if (what !== 'schedules' || isChange) throw noAddress()
  const { schedules } = world.onCall
  if (scheduleId === undefined) {
    const wanted = (query.get('query') ?? '').toLowerCase()
    const found = schedules.filter(({ name }) => name.toLowerCase().includes(wanted))
    return answered(world, paged(found, query))
  }
  if (!schedules.some(({ id }) => id === scheduleId)) {
    throw new Refusal(404, `There is no schedule ${scheduleId}`)
  }
  if (more !== 'people') throw noAddress()
  const at = instantOf(query, 'at') ?? now
  const items = onCallAt(world.onCall, { seed: world.seed, scheduleId, at }).map((each) => ({
    name: each.name,
    email: each.email,
    from: instantText(each.from),
    until: instantText(each.until),
  }))
  return answered(world, { items })
}

/** A file of translations is at most so long, in characters of base64. */
const MOST_CONTENT = 1_000_000

/** Each version that CI has built brings new texts, as a pipeline sends them. */
function withVersions(world: World, now: number): SimulatedTranslations {
  const brought = versionsUntil(world, now).map(({ version, at }) => ({
    id: version,
    key: null,
    at,
  }))
  const { translations } = world
  return { ...translations, uploads: [...translations.uploads, ...brought] }
}

export function answerOfTranslations(world: World, now: number, asked: WorldRequest): Answered {
  const { path, query, isChange, key } = asked
  const [what] = path
  const { translations, seed } = world
  if (what === 'locales' && !isChange) {
    return answered(world, { items: progressOf(withVersions(world, now), seed, now) })
  }
  if (what === 'metadata' && !isChange) return answered(world, { items: translations.metadata })
  if (what !== 'files') throw noAddress()
  if (!isChange) {
    const [locales, tag] = [query.getAll('locale'), query.get('tag')]
    const found = translations.files.filter(
      (each) => locales.includes(each.locale) && (tag === null || each.tag === tag)
    )
    return answered(world, paged(found, query))
  }
  const tag = textIn(asked, 'tag')
  const files = objectsIn(asked, 'files').map(({ path: place, locale, content }) => {
    const isFile = [place, locale, content].every((each) => typeof each === 'string')
    if (!isFile) throw new Refusal(422, 'A file has a path, a locale and a content')
    if (String(content).length > MOST_CONTENT) throw new Refusal(413, 'The file is too large')
    return { path: String(place), locale: String(locale), content: String(content), tag }
  })
  const taken = upload(translations, now, { files, key })
  if (taken === 'localeUnknown') throw new Refusal(422, 'The project has no such locale')
  return answered({ ...world, translations: taken.translations }, { id: taken.id })
}
