import type { Module } from '#foundation/api/module'
import { eventFollowers } from '#foundation/core/events/followers'
import { chatFollower } from './follow_events.js'
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
  extensions: [eventFollowers.extend(chatFollower), releaseExtensions.extend(releaseExtension)],
}
