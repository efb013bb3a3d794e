import type { RowOf } from '#foundation/core/database/table'
import { jsonPointer } from '#foundation/core/json_pointer'
import { OutboundRefused, type OutboundGuard } from '#outbound-client/guard'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { ProblemPlace } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { MAX_CUSTOM_HEADERS, headerFault } from '#webhooks/custom_headers'
import { EVERY_EVENT } from '#webhooks/subscription'
import type { webhookEndpoints } from '#webhooks/tables'

type Endpoint = RowOf<typeof webhookEndpoints>

/** Settings of an endpoint; absent ones stay unchanged, null clears. */
export interface EndpointSettings {
  url?: string
  description?: string | null
  events?: string[]
  appIds?: string[] | null
  platforms?: string[] | null
  headers?: Record<string, string> | null
  timeoutSeconds?: number
  maxPerSecond?: number | null
  asymmetric?: boolean
}

/**
 * Collects the errors of settings beyond their shape: a URL the service may not connect to (as far
 * as its text shows), `*` together with names, foreign apps, invalid headers.
 */
export async function checkSettings(
  scope: Scope,
  guard: OutboundGuard,
  settings: PartiallyValid<EndpointSettings>,
  errors: InputErrors
): Promise<void> {
  const { url, events = [], appIds, headers } = settings
  if (url !== undefined) errors.add(...urlErrors(guard, url))
  errors.add(
    ...eventErrors(events),
    ...(await appFaults(scope, appIds ?? [])),
    ...headerErrors(headers ?? {})
  )
}

/** @throws invalid_input with all that `checkSettings` finds */
export async function requireSettings(
  scope: Scope,
  guard: OutboundGuard,
  settings: EndpointSettings
): Promise<void> {
  const errors = new InputErrors()
  await checkSettings(scope, guard, settings, errors)
  errors.throwIfAny()
}

function urlErrors(guard: OutboundGuard, url: string): ProblemPlace[] {
  try {
    guard.checkUrl(url)
    return []
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error
    const code = error.reason.replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase())
    return [{ pointer: '/url', code, message: error.message }]
  }
}

function eventErrors(events: readonly (string | undefined)[]): ProblemPlace[] {
  if (events.length < 2 || !events.includes(EVERY_EVENT)) return []
  const message = 'The word * means all events and must be given alone.'
  return [{ pointer: '/events', code: 'events', message }]
}

async function appFaults(
  scope: Scope,
  appIds: readonly (string | undefined)[]
): Promise<ProblemPlace[]> {
  const named = appIds.flatMap((id) => id ?? [])
  if (named.length === 0) return []
  const rows: { id: string }[] = await scope.table('apps').whereIn('id', named).select('id')
  const known = new Set(rows.map(({ id }) => id))
  return appIds.flatMap((id, index) => {
    if (id === undefined || known.has(id)) return []
    const message = `The organization has no app ${id}.`
    return [{ pointer: `/appIds/${index}`, code: 'unknown_app', message }]
  })
}

function headerErrors(headers: PartiallyValid<Record<string, string>>): ProblemPlace[] {
  const names = Object.keys(headers)
  if (names.length > MAX_CUSTOM_HEADERS) {
    const message = `An endpoint has at most ${MAX_CUSTOM_HEADERS} custom headers.`
    return [{ pointer: '/headers', code: 'max_length', message }]
  }
  const seen = new Set<string>()
  return names.flatMap((name) => {
    const isRepeated = seen.has(name.toLowerCase())
    seen.add(name.toLowerCase())
    const message = isRepeated
      ? `The header ${name} is given twice.`
      : headerFault(name, headers[name])
    const pointer = jsonPointer('headers', name)
    return message === null ? [] : [{ pointer, code: 'header', message }]
  })
}

/** Returns the given settings that are stored unchanged. */
export function settingMembers(settings: EndpointSettings): Partial<Endpoint> {
  const { description, events, appIds, platforms, timeoutSeconds, maxPerSecond } = settings
  return dropAbsent({ description, events, appIds, platforms, timeoutSeconds, maxPerSecond })
}

function dropAbsent<Members extends object>(members: Members): Partial<Members> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Partial<Members>
}

/** Returns custom headers as they are stored: sealed, with names in lower case. */
export function headerMembers(
  headers: Record<string, string>,
  seal: (value: unknown) => string
): Pick<Endpoint, 'sealedHeaders' | 'headerNames'> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return {
    sealedHeaders: seal(Object.fromEntries(entries)),
    headerNames: entries.map(([name]) => name),
  }
}
