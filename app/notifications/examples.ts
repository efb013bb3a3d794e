import { APP } from '#apps/examples'
import type { NotificationEntity } from './entities.js'

export const exampleNotification: NotificationEntity = {
  id: `${APP.id}:release.kickoffReminder`,
  type: 'release.kickoffReminder',
  enabled: true,
  channelOverride: 'C0RELEASES',
  leadTimeMinutes: 120,
}
