import type { Module } from '#foundation/api/module'
import { eventSubscribers } from '#foundation/core/events/subscribers'
import { chatSubscriber } from './follow_events.js'
import { releaseExtensions } from '#releases/extensions'
import { releaseExtension } from './release_extension.js'
import { retainMessages } from './retention.js'
import { operations } from './routes.js'
import { notifyChat } from './work/notify_chat.js'

/** Notification of people by chat. */
export const notifications: Module = {
  name: 'notifications',
  operations,
  tags: { Notifications: 'What people are notified of, where and when.' },
  work: [notifyChat, retainMessages],
  extensions: [eventSubscribers.extend(chatSubscriber), releaseExtensions.extend(releaseExtension)],
}
