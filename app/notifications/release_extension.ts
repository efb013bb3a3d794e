import type { ReleaseExtension } from '#releases/extensions'
import { hasChat } from '#apps/queries/app_summary'
import { releasePlan } from '#planning/plans/plans'
import { refreshLiving } from './follow_events.js'
import { chatOf } from './queries/chat_of.js'
import { notificationsOf } from './settings.js'
import { UNTOLD } from './vocabulary.js'

/** Extends releases by the chat channels that cannot be notified, and who can repair that. */
export const releaseExtension: ReleaseExtension = {
  name: 'notifications',
  lifecycle: { otherMoved: refreshLiving },
  presentation: {
    async stalled(scope, release) {
      const { appId } = release
      if (!(await hasChat(scope, appId))) return []
      const { troubles } = await notificationsOf(scope, appId)
      const chat = troubles.length > 0 ? await chatOf(scope, appId) : null
      if (!chat) return []
      const { channel: own } = await releasePlan(scope, release)
      const overrides = Object.values(chat.settings).map((each) => each.channelOverride)
      const used = [...chat.channels, own?.id, ...overrides]
      return troubles
        .filter(({ channel }) => used.includes(channel))
        .map(({ channel, reason }) => ({
          code: UNTOLD,
          message: `The chat channel ${channel} cannot be reached: ${reason}`,
          subject: { type: 'channel', id: channel, name: channel },
          who: [{ type: 'userAction', name: 'UpdateAppSettings' }],
        }))
    },
  },
}
