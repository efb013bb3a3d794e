import { refused } from './program/failures.js'

/** Counted in Unicode characters; file systems of servers take no more. */
const MAX_NAME_LENGTH = 200

const MAX_MESSAGE_LENGTH = 65_536

/** Characters and sequences that `git check-ref-format` refuses in a name. */
const FORBIDDEN = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|^@$/u
/** Characters that make a name look like another. */
const DECEIVING = /[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u

/** Returns whether git and people can distinguish a branch or tag of this name from all others. */
export function isRefName(name: string): boolean {
  return (
    name !== '' &&
    [...name].length <= MAX_NAME_LENGTH &&
    name.isWellFormed() &&
    !FORBIDDEN.test(name) &&
    !DECEIVING.test(name) &&
    name
      .split('/')
      .every((part) => !part.startsWith('.') && !part.startsWith('-') && !part.endsWith('.lock'))
  )
}

/** Returns the full name of a branch. @throws ProviderError `invalid` */
export function branchRef(name: string): string {
  return fullRef('heads', name)
}

/** Returns the full name of a tag. @throws ProviderError `invalid` */
export function tagRef(name: string): string {
  return fullRef('tags', name)
}

function fullRef(folder: 'heads' | 'tags', name: string): string {
  if (isRefName(name)) return `refs/${folder}/${name}`
  throw refused('invalid', `${quoted(name)} is not a name of a branch or tag`, 'name')
}

/** Returns whether a text is the full hash of an object: SHA-1 or SHA-256. */
export function isHash(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

/** @throws ProviderError `invalid` */
export function requireHash(text: string): string {
  if (isHash(text)) return text
  throw refused('invalid', `${quoted(text)} is not a full hash of a commit`, 'hash')
}

/**
 * Returns the name of a commit: a branch, a tag or a full hash.
 * @throws ProviderError `invalid` for any other way to say it
 */
export function requireCommitName(name: string): string {
  if (isHash(name) || isRefName(name)) return name
  throw refused('invalid', `${quoted(name)} names no branch, tag or commit`, 'name')
}

/** Returns whether a path names a file of a tree: relative, and none of git's own. */
export function isFilePath(path: string): boolean {
  return (
    path !== '' &&
    path.length <= 4096 &&
    path.isWellFormed() &&
    !/\p{Cc}/u.test(path) &&
    path.split('/').every((part) => part !== '' && !/^(\.{1,2}|\.git|git~1)$/i.test(part))
  )
}

/** @throws ProviderError `invalid` */
export function requireFilePath(path: string): string {
  if (isFilePath(path)) return path
  throw refused('invalid', `${quoted(path)} is not a path of a file`, 'path')
}

/** @throws ProviderError `invalid` for a text that no commit or tag can hold */
export function requireMessage(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH && !message.includes('\0') && message.isWellFormed()) {
    return message.trim()
  }
  throw refused(
    'invalid',
    'The message is too long or contains something other than text',
    'message'
  )
}

/** Quotes an untrusted text for display. */
export function quoted(text: string): string {
  return JSON.stringify(text.slice(0, MAX_NAME_LENGTH)).replace(DECEIVING, '?')
}
