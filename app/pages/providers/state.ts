import type { ConnectionEntity } from '#integrations/connection_entities'
import type { IconName } from '../frame/icon_names.js'
import { inSentence, inZone, relativeText, type TimeReader } from '../words/times.js'

/** The state of a connection, in words. */
export interface ConnectionState {
  icon: IconName
  colour: 'green' | 'red' | 'amber' | 'hint'
  word: string
  /** The trouble, and who can act on it; null without any. */
  text: string | null
  /** The place in the list: failing connections have 0 and come first. */
  rank: number
}

/** Returns the name of a connection: its alias, else the name of its provider. */
export const nameOf = ({ alias, plugin }: Pick<ConnectionEntity, 'alias' | 'plugin'>): string =>
  alias ?? plugin.name

/** Describes the worst state of a connection. */
export function stateOf(connection: ConnectionEntity, times: TimeReader): ConnectionState {
  const { plugin, failure, checkFailure, missingPermissions, ending, status } = connection
  if (!plugin.isRunning) {
    const text = `The plugin ${plugin.id} does not run. The operator of the service finds the reason in its log.`
    return { icon: 'octagon-alert', colour: 'red', word: 'Not running', text, rank: 0 }
  }
  if (failure) {
    const said = checkFailure ? ` It said: ${checkFailure.message}.` : ''
    return {
      ...{ icon: 'octagon-alert', colour: 'red', rank: 0 },
      word: WORDS[failure.code] ?? 'It fails',
      text: inZone(`${sentence(failure.message)}${said}`, times),
    }
  }
  if (checkFailure) {
    const text = `It could not be tried: ${checkFailure.message}. Check it again.`
    return { icon: 'circle-alert', colour: 'amber', word: 'Not tried', text, rank: 1 }
  }
  if (missingPermissions.length > 0) {
    const text = `Missing: ${missingPermissions.join(', ')}.`
    return { icon: 'circle-alert', colour: 'amber', word: 'Permissions are missing', text, rank: 1 }
  }
  if (ending) {
    return { icon: 'clock', colour: 'amber', word: 'Ends soon', text: sentence(ending), rank: 2 }
  }
  if (status === 'unverified') {
    return { icon: 'circle-dashed', colour: 'hint', word: 'Not checked', text: null, rank: 3 }
  }
  return { icon: 'circle-check', colour: 'green', word: 'Works', text: null, rank: 3 }
}

const WORDS: Readonly<Record<string, string>> = {
  noAnswer: 'No answer',
  refused: 'Credentials refused',
  noCredentials: 'Disconnected',
  forbidden: 'Something is forbidden',
  limited: 'Called too often',
  unreadable: 'Something cannot be read',
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`)

/** Describes when a connection was last checked. */
export function checkedText({ checkedAt }: ConnectionEntity, times: TimeReader): string {
  if (checkedAt === null) return 'never checked'
  return `checked ${relativeText(checkedAt, times.now) ?? inSentence(checkedAt, times)}`
}
