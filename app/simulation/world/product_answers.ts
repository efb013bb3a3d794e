import { flagsIn, turn, type SimulatedFlag } from '#simulated-providers/flags'
import { onCallAt } from '#simulated-providers/on_call'
import { progressOf } from '#simulated-providers/translations'
import { versionsUntil } from './arrivals.js'
import {
  answered,
  instantOf,
  instantText,
  noAddress,
  paged,
  Refusal,
  type WorldResponse,
  type WorldRequest,
} from './http.js'
import type { World } from './world.js'

/*
 * Answers of a world's feature flags, on-call and translations.
 */

export function respondForFlags(world: World, _now: number, request: WorldRequest): WorldResponse {
  const { path, query, isChange, body } = request
  const [environment, key] = path
  if (environment === undefined || environment === '') throw noAddress()
  const flags = flagsIn(world.flags, environment)
  if (key === undefined) {
    if (isChange) throw noAddress()
    const wanted = (query.get('query') ?? '').toLowerCase()
    const found = flags.filter((each) => `${each.key} ${each.name}`.toLowerCase().includes(wanted))
    return answered(world, paged(found, query, shownFlag))
  }
  const find = (current: World) =>
    flagsIn(current.flags, environment).find((each) => each.key === key)
  if (!isChange) {
    const flag = find(world)
    if (!flag) throw new Refusal(404, `There is no flag ${key}`)
    return answered(world, shownFlag(flag))
  }
  if (typeof body.enabled !== 'boolean') throw new Refusal(422, 'Whether it is on is missing')
  const etag = typeof body.etag === 'string' ? body.etag : null
  const turned = turn(world.flags, { environment, key }, { enabled: body.enabled, etag })
  if (turned === 'flagUnknown') throw new Refusal(404, `There is no flag ${key}`)
  if (turned === 'flagChanged') throw new Refusal(412, 'The flag has changed in the meantime')
  const next = { ...world, flags: turned }
  return answered(next, shownFlag(find(next)!))
}

const shownFlag = ({ key, name, enabled, etag }: SimulatedFlag) => ({ key, name, enabled, etag })

export function respondForOnCall(world: World, now: number, request: WorldRequest): WorldResponse {
  const { path, query, isChange } = request
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

export function respondForTranslations(
  world: World,
  now: number,
  request: WorldRequest
): WorldResponse {
  const { path, isChange } = request
  const { translations, seed } = world
  if (path[0] !== 'locales' || isChange) throw noAddress()
  // Each version that CI has built adds new texts, as if a pipeline sent them.
  const items = progressOf(translations, versionsUntil(world, now), { seed, now })
  return answered(world, { items })
}
