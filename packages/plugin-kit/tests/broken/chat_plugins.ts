import { ProviderError } from '../../provider_error.js'
import { FullChat, FullFake, ofChat, sample } from './sample.js'
import type { ChatMessage } from '../../capabilities/work.js'
import type { ConformanceOptions } from '../../conformance/options.js'
import type { Mutation, Ref } from '../../context.js'

/** Chat plugins that break one rule each, by the rule. */
export const brokenChat: Record<string, () => ConformanceOptions> = {
  'chat.H5': () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          try {
            return await super.listChannels(query, cursor)
          } catch (error) {
            if (this.context.signal.aborted) await new Promise(() => {})
            throw error
          }
        }
      }
    ),
  'chat.H6': () => {
    let isKnown = false
    return ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          if (!isKnown) await this.context.http.send({ method: 'GET', path: '/v1/me' })
          isKnown = true
          return super.listChannels(query, cursor)
        }
      }
    )
  },
  'chat.R1': () =>
    sample({
      fake: class extends FullFake {
        protected override tooMany(seconds: number) {
          return Response.json({}, { status: 429, headers: { 'x-acme-wait': String(seconds) } })
        }
      },
    }),
  'chat.R2': () => emptyInstead(({ code }) => code === 'unavailable'),
  'chat.R3': () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          const { body } = await this.context.http.send({
            method: 'POST',
            path: '/v1/channels/search',
            json: { query, limit: '50', ...(cursor === undefined ? {} : { cursor }) },
          })
          const { channels, next_cursor: next } = body as { channels: []; next_cursor: string }
          if (!Array.isArray(channels))
            throw new ProviderError('protocol', 'None', { outcome: 'unknown' })
          return next ? { items: channels, next } : { items: channels }
        }
      }
    ),
  'chat.R4': () =>
    ofChat(
      class extends FullChat {
        override async post(
          channel: string,
          { text, buttons }: ChatMessage,
          m: Posting
        ): Promise<Ref> {
          const path = `/v1/channels/${channel}/messages`
          const headers = { 'idempotency-key': m.idempotencyKey }
          const json = { text, buttons, thread: m.threadOf }
          try {
            return (await this.context.http.send<Ref>({ method: 'POST', path, headers, json })).body
          } catch (error) {
            const { code, message } = error as ProviderError
            throw new ProviderError(code, message, { outcome: 'notApplied' })
          }
        }
      }
    ),
  'chat.R5': () =>
    ofChat(
      class extends FullChat {
        override async post(
          channel: string,
          { text, buttons }: ChatMessage,
          m: Posting
        ): Promise<Ref> {
          const path = `/v1/channels/${channel}/messages`
          const json = { text, buttons, thread: m.threadOf }
          return (await this.context.http.send<Ref>({ method: 'POST', path, json })).body
        }
      }
    ),
  'chat.R6a': () => leniently((text) => text.startsWith('<')),
  'chat.R6b': () => leniently((text) => text !== '' && !text.startsWith('<')),
  'chat.R6c': () => emptyInstead(({ message }) => message.includes('too long')),
  'chat.P1': () =>
    pages((page) => (page.next ? { ...page, items: [...page.items, page.items[0]] } : page)),
  'chat.P2': () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          if (cursor === 'end') return { items: [] }
          return { next: 'end', ...(await super.listChannels(query, cursor)) }
        }
      }
    ),
  'chat.P3': () =>
    ofChat(
      class extends FullChat {
        #next: string | undefined
        override async listChannels(query: string, cursor?: string) {
          const page = await super.listChannels(query, cursor && this.#next)
          this.#next = page.next
          return page
        }
      }
    ),
  'chat.P4': () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string) {
          const items: { id: string; name: string }[] = []
          let cursor: string | undefined
          do {
            const page = await super.listChannels(query, cursor)
            items.push(...page.items)
            cursor = page.next
          } while (cursor)
          return { items }
        }
      }
    ),
  'chat.C1': () =>
    posting((chatOf, channel, message, m) =>
      chatOf.send(channel, { ...message, text: message.text.replaceAll('<', '&lt;') }, m)
    ),
  'chat.C2': () =>
    posting((chatOf, channel, message, { idempotencyKey }) =>
      chatOf.send(channel, message, { idempotencyKey })
    ),
  'chat.C3': () =>
    posting((chatOf, channel, message, m) =>
      chatOf.send(channel, message, m).catch((error: ProviderError) => {
        if (error.code !== 'notFound') throw error
        throw new ProviderError('invalid', error.message, error.detail)
      })
    ),
  'chat.C4': () =>
    ofChat(
      class extends FullChat {
        override async update(channel: string, _ref: Ref, message: ChatMessage, m: Mutation) {
          return this.post(channel, message, m)
        }
      }
    ),
  'chat.C5': () =>
    sample({
      fake: class extends FullFake {
        #made = 0
        protected override async respond(request: Request) {
          const isNew = request.method === 'POST' && request.url.endsWith('/v1/channels')
          if (!isNew) return super.respond(request)
          const { name } = (await request.json()) as { name: string }
          this.#made += 1
          this.chat.channels.push({ id: `N${this.#made}`, name })
          return Response.json({ id: `N${this.#made}` })
        }
      },
    }),
  'chat.C6': () =>
    ofChat(
      class extends FullChat {
        override async findUserByEmail(email: string) {
          return (await super.findUserByEmail(email)) ?? { id: 'U0' }
        }
      }
    ),
}

type Posting = Mutation & { threadOf?: string }
type Page = Awaited<ReturnType<FullChat['listChannels']>>

const pages = (change: (page: Page) => Page) =>
  ofChat(
    class extends FullChat {
      override async listChannels(query: string, cursor?: string) {
        return change(await super.listChannels(query, cursor))
      }
    }
  )

const emptyInstead = (when: (error: ProviderError) => boolean) =>
  ofChat(
    class extends FullChat {
      override async listChannels(query: string, cursor?: string) {
        return super.listChannels(query, cursor).catch((error: ProviderError): Page => {
          if (when(error)) return { items: [] }
          throw error
        })
      }
    }
  )

/** Reads some answers that are not JSON as an empty list. */
const leniently = (isLenient: (text: string) => boolean) =>
  ofChat(
    class extends FullChat {
      override async listChannels(query: string, cursor?: string): Promise<Page> {
        const { body } = await this.context.http.send<string>({
          method: 'GET',
          path: '/v1/channels',
          query: { query: query || undefined, cursor, limit: 50 },
          accept: 'text',
        })
        try {
          const { channels, next_cursor: next } = JSON.parse(body) as Record<string, never>
          return next ? { items: channels, next } : { items: channels }
        } catch {
          if (isLenient(body)) return { items: [] }
          throw new ProviderError('protocol', 'It is no JSON', { outcome: 'unknown' })
        }
      }
    }
  )

/** Posts in another way; `send` posts correctly. */
function posting(
  post: (
    of: { send: FullChat['post'] },
    channel: string,
    message: ChatMessage,
    m: Posting
  ) => Promise<Ref>
) {
  return ofChat(
    class extends FullChat {
      override async post(channel: string, message: ChatMessage, m: Posting) {
        return post({ send: (...given) => super.post(...given) }, channel, message, m)
      }
    }
  )
}
