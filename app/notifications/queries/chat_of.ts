import { as, of, select } from '#foundation/core/database/statement'
import { json, optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { plugins } from '#integrations/plugins/plugin_registry'
import { integrations } from '#integrations/tables'
import { lengthOf } from '#foundation/core/text'
import type { NotificationSettings } from '../tables.js'
import { MAX_CHANNEL } from '../vocabulary.js'

/** The chat of an app, and its notifications. */
export interface Chat {
  /** Id of the integration. */
  id: string
  connectionId: string
  channels: readonly string[]
  settings: NotificationSettings
  /** True if the chat can edit messages, so that releases have living messages there. */
  hasLiving: boolean
}

/** One statement, as every write with events may ask it. */
const CHAT = select(
  {
    ...of(integrations, 'i', ['id', 'connectionId', 'data']),
    pluginId: as(text(), 'c.plugin_id'),
    settings: as(optional(json<NotificationSettings>()), 'n.settings'),
  },
  `from integrations i
    join connections c on c.organization_id = i.organization_id and c.id = i.connection_id
    left join app_notifications n on n.app_id = i.app_id
  where i.organization_id = :org and i.app_id = :appId and i.kind = 'chat'
  order by i.position, i.id limit 1`
)

/** Returns the first chat integration of an app; null if it has none. */
export async function chatOf(scope: Scope, appId: string): Promise<Chat | null> {
  const [row] = await scope.rows(CHAT, { appId })
  if (!row) return null
  const { id, connectionId, pluginId, data, settings } = row
  const { primaryChannelIds: named } = data
  const channels = (Array.isArray(named) ? named : []).filter(
    (each) => typeof each === 'string' && each !== '' && lengthOf(each) <= MAX_CHANNEL
  ) as string[]
  return {
    id,
    connectionId,
    channels: [...new Set(channels)],
    settings: settings ?? {},
    hasLiving: canEdit(pluginId),
  }
}

/** Returns whether a chat can edit messages; one that cannot gets a new message each time. */
function canEdit(pluginId: string): boolean {
  const { chat } = plugins.find(pluginId)?.manifest.capabilities ?? {}
  return chat?.features.includes('update') ?? false
}
