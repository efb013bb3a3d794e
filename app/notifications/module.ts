import type { Module } from '#foundation/api/module'
import { eventFollowers } from '#foundation/core/events/followers'
import { chatFollower } from './follow_events.js'
import { releaseParts } from '#releases/parts'
import { releasePart } from './release_part.js'
import { retainMessages } from './retention.js'
import { operations } from './routes.js'
import { notifyChat } from './work/notify_chat.js'

/** Notification of people by chat. */
export const notifications: Module = {
  name: 'notifications',
  operations,
  tags: { Notifications: 'What people are notified of, where and when.' },
  work: [notifyChat, retainMessages],
  extensions: [eventFollowers.extend(chatFollower), releaseParts.extend(releasePart)],
}
