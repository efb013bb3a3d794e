import type { Rehearsal } from '#foundation/api/execution/request'
import type { ChangedRows } from '#foundation/core/database/changed_rows'
import { isPublicDraft } from '#foundation/core/events/outbox'
import type { Scope } from '#foundation/core/scope'
import { typeOfLine } from '#notifications/messages'
import type { Line } from '#notifications/tables'
import { endpointsFor } from '#webhooks/queries/endpoints_for'
import type { EndpointRow } from '#webhooks/rows'

/** Messages of one kind, as a plan shows them. */
export interface ReportedMessages {
  /** A channel of a chat, or the address of webhooks. */
  to: string
  /** The content: types of events, or a note that everything missed is sent. */
  about: string[]
  /** People who are mentioned by name. */
  calls?: string[]
}

/** Lists the messages that are sent: chat messages, and webhooks for recorded events. */
export async function messagesOf(
  scope: Scope,
  { events, following, rows }: Rehearsal
): Promise<ReportedMessages[]> {
  const reported = new Map<string, { about: Set<string>; calls: Set<string> }>()
  const report = (to: string, about: string, calls: readonly string[] = []) => {
    const known = reported.get(to) ?? { about: new Set(), calls: new Set() }
    known.about.add(about)
    for (const each of calls) known.calls.add(each)
    reported.set(to, known)
  }
  for (const { app_id: appId, channel, type, lines } of following.after('chat_messages')) {
    if (!scope.sees(String(appId))) continue
    for (const line of JSON.parse(String(lines)) as Line[]) {
      if (line.notified) continue
      report(`chat ${String(channel)}`, typeOfLine(line) ?? String(type), line.call)
    }
  }
  for (const event of events.filter(isPublicDraft)) {
    for (const url of await endpointsFor(scope, event)) report(addressOf(scope, url), event.type)
  }
  for (const { url, about } of await sentAgain(scope, rows)) report(addressOf(scope, url), about)
  return [...reported].map(([to, { about, calls }]) => ({
    to,
    about: [...about],
    ...(calls.size > 0 && { calls: [...calls] }),
  }))
}

/** Returns what an action has webhooks send again, and to which address. */
async function sentAgain(scope: Scope, rows: ChangedRows) {
  const single = rows
    .after('webhook_deliveries')
    .filter(({ manual_at: at }) => (at ?? null) !== null)
    .map(({ endpoint_id: id, event_type: type }) => ({ id, about: String(type) }))
  const whole = rows
    .after('webhook_recoveries')
    .map(({ endpoint_id: id, since }) => ({ id, about: `all that was missed since ${since}` }))
  const sent = [...single, ...whole]
  if (sent.length === 0) return []
  const ids = sent.map(({ id }) => String(id))
  const found: EndpointRow[] = await scope.table('webhook_endpoints').whereIn('id', ids)
  const urls = new Map<unknown, string>(found.map(({ id, url }) => [id, url]))
  return sent.map(({ id, about }) => ({ url: urls.get(id)!, about }))
}

/** Only administrators see where webhooks go. The part after the host may be secret. */
const addressOf = ({ permissions }: Scope, url: string) =>
  permissions.admin ? `webhook ${new URL(url).origin}` : 'webhooks'
