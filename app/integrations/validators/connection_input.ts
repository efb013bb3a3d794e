import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import {
  checkedByHand,
  queryBoolean,
  repeatable,
  describedAs,
  text,
  trimmedText,
} from '#foundation/api/operation/input'

const membersRule = vine.createRule((value: unknown, _options: undefined, field: FieldContext) => {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isMap) field.report('The {{ field }} field must be an object', 'object', field)
})

/** Members that the schema of the plugin describes. */
const members = (description: string) =>
  checkedByHand({ type: 'object', maxProperties: 100 })
    .use(membersRule())
    .use(describedAs(description))

const credentials = () =>
  members('As in the schema of the plugin; encrypted and never shown.').optional()

const newConnection = {
  alias: trimmedText(100)
    .use(describedAs('Name for configuration files; the id if null or absent.'))
    .nullable()
    .optional(),
  settings: members('As in the schema of the plugin.').optional(),
  credentials: credentials(),
}

type Members = Record<string, unknown>

export interface NewConnection {
  alias?: string | null
  settings?: Members
  credentials?: Members
}
export const newConnectionBody = vine.create(newConnection)

export interface BrowserConnection extends NewConnection {
  connectionId?: string | null
  browser: string
}
export const browserConnectionBody = vine.create({
  ...newConnection,
  connectionId: text(100)
    .use(describedAs('The connection that gets new credentials; null or absent for a new one.'))
    .nullable()
    .optional(),
  browser: text(100).use(describedAs('Session of the browser, the only one that can finish it.')),
})

export interface RotatedCredentials {
  credentials?: Members
}
export const rotationBody = vine.create({ credentials: credentials() })

export interface BrowserAnswer {
  browser: string
  code?: string
  error?: string
  installationId?: string
  setupAction?: string
}
export const browserAnswerBody = vine.create({
  browser: text(100).use(describedAs('Session of the browser that began it.')),
  code: text(4000).use(describedAs('Authorization code to exchange for tokens.')).optional(),
  error: text(200).use(describedAs('Error code, if there is no authorization code.')).optional(),
  installationId: text(40).use(describedAs('GitHub App: id of the installation.')).optional(),
  setupAction: text(40).use(describedAs('GitHub App: what was done with it.')).optional(),
})

export const channelsQuery = vine.create({
  search: text(100).use(describedAs('Part of the name; absent for all channels.')).optional(),
})
export interface ChannelsQuery {
  search?: string
}

export const disconnectQuery = vine.create({
  force: queryBoolean()
    .use(describedAs('Whether to end it even if apps use it; they keep their integrations.'))
    .optional(),
  ofApp: repeatable(100)
    .use(describedAs('Ends it even if this app uses it, but no other; may be repeated.'))
    .optional(),
})
export interface DisconnectQuery {
  force?: boolean
  ofApp?: string[]
}
