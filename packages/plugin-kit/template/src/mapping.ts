import { ProviderError } from '#plugin-kit/index'
// #region chat
import type { ChatMessage, Page, Ref } from '#plugin-kit/index'
// #endregion

/*
 * Translates the provider's answers into the kit's types. Answers are checked, not trusted: an
 * unexpected form is a `protocol` error, never a partial result.
 */

type Members = Readonly<Record<string, unknown>>

const strange = (what: string) =>
  new ProviderError('protocol', `The answer holds no ${what}`, { outcome: 'unknown' })

function members(value: unknown, what: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
  throw strange(what)
}

function list(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value
  throw strange(what)
}

function text(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  throw strange(what)
}

/** Returns the owner of a token, and its scopes. */
export function meIn(body: unknown): { team: string; scopes: string[] } {
  const { team, scopes } = members(body, 'account')
  return { team: text(team, 'team'), scopes: list(scopes, 'scopes').map(String) }
}

// #region chat
/** Reads a page of channels. */
export function channelsIn(body: unknown): Page<{ id: string; name: string }> {
  const { channels, next_cursor: next } = members(body, 'channels')
  const items = list(channels, 'channels').map((each) => {
    const { id, name } = members(each, 'channel')
    return { id: text(id, 'id of a channel'), name: text(name, 'name of a channel') }
  })
  return typeof next === 'string' && next !== '' ? { items, next } : { items }
}

/** Reads the message in an answer. */
export function messageIn(body: unknown): Ref {
  const { id, url } = members(body, 'message')
  return { id: text(id, 'id of a message'), ...(typeof url === 'string' ? { url } : {}) }
}

/**
 * Writes a message for the provider, which knows only text; the text has the content of all blocks.
 */
export function messageFor({ text: words }: ChatMessage): { text: string } {
  return { text: words }
}
// #endregion
