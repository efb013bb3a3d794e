import type { Tag } from '#plugin-kit/capabilities/source'
import type { Mutation, Page, PluginContext, Ref } from '#plugin-kit/context'
import { Mirror } from '../mirror/mirror.js'
import { writeTag } from '../mirror/objects.js'
import { requireHash, requireMessage, quoted, tagRef } from '../names.js'
import { refused } from '../program/failures.js'
import { commitOf, committerOf, instantOf, tipOf } from './commits.js'
import { readCursor, writeCursor } from './cursor.js'

const PAGE = 500
const FORMAT = [
  'refname',
  'objecttype',
  'objectname',
  '*objecttype',
  '*objectname',
  'creatordate:unix',
]

interface ListedTag {
  tag: Tag
  /** Seconds since 1970. */
  seconds: number
}

/**
 * Lists tags of commits by a prefix of their names: newest first, those of the same time by name.
 * The first page fetches the repository; further pages continue from what it fetched.
 */
export function listTags(ctx: PluginContext, prefix: string, cursor?: string): Promise<Page<Tag>> {
  const after =
    cursor === undefined
      ? null
      : readCursor<[number, string]>(
          cursor,
          ([seconds, name, ...more]) =>
            Number.isSafeInteger(seconds) && typeof name === 'string' && more.length === 0
        )
  return Mirror.use(ctx, async (mirror) => {
    if (after === null) await mirror.fetch()
    const items: ListedTag[] = []
    for await (const listed of tagsOf(mirror)) {
      if (!listed.tag.name.startsWith(prefix) || (after && !isAfter(listed, after))) continue
      items.push(listed)
      if (items.length > PAGE) break
    }
    const shown = items.slice(0, PAGE)
    const last = shown.at(-1)
    return {
      items: shown.map(({ tag }) => tag),
      ...(items.length > PAGE && last ? { next: writeCursor([last.seconds, last.tag.name]) } : {}),
    }
  })
}

function isAfter({ tag, seconds }: ListedTag, [lastSeconds, lastName]: [number, string]): boolean {
  return seconds < lastSeconds || (seconds === lastSeconds && sortsAfter(tag.name, lastName))
}

/** Returns whether a name comes after another in the order of git, which compares bytes. */
function sortsAfter(one: string, other: string): boolean {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) > 0
}

async function* tagsOf(mirror: Mirror): AsyncGenerator<ListedTag> {
  const format = FORMAT.map((each) => `%(${each})%00`).join('')
  const sorted = ['--sort=refname', '--sort=-creatordate']
  let fields: string[] = []
  for await (const field of mirror.fields([
    'for-each-ref',
    ...sorted,
    `--format=${format}`,
    'refs/tags/',
  ])) {
    fields.push(field.toString('utf8'))
    if (fields.length < FORMAT.length) continue
    const [line, type, hash, innerType, innerHash, seconds] = fields
    fields = []
    // The newline that ends a record is read with the first field of the next one.
    const ref = line.trimStart()
    const sha = type === 'commit' ? hash : await peel(mirror, ref, innerType, innerHash)
    if (sha === null) continue
    const tag = { name: ref.slice('refs/tags/'.length), sha, at: instantOf(seconds) }
    yield { tag, seconds: Number(seconds) || 0 }
  }
}

/** Returns the commit of an annotated tag, also through nested tags; null if there is none. */
async function peel(
  mirror: Mirror,
  ref: string,
  innerType: string,
  innerHash: string
): Promise<string | null> {
  if (innerType === 'commit') return innerHash
  return innerType === 'tag' ? tipOf(mirror, ref) : null
}

/**
 * Tags a commit. The tag is annotated if there is a message.
 * @throws ProviderError `conflict` if a tag of this name is of another commit
 */
export function createTag(
  ctx: PluginContext,
  { name, sha, message }: { name: string; sha: string; message: string },
  _mutation: Mutation
): Promise<Ref> {
  const ref = tagRef(name)
  requireHash(sha)
  const text = requireMessage(message)
  return Mirror.use(ctx, async (mirror) => {
    await mirror.fetch()
    await commitOf(mirror, sha)
    const annotated = { name, sha, message: text, tagger: committerOf(ctx) }
    const to = text === '' ? sha : await writeTag(mirror, annotated)
    if ((await objectOf(mirror, ref)) !== null) return requireSame(mirror, { ref, name, sha })
    if ((await mirror.push({ ref, from: null, to })) === 'done') {
      return { id: name }
    }
    await mirror.fetch()
    return requireSame(mirror, { ref, name, sha })
  })
}

/** Returns the existing tag if it is of the commit. @throws ProviderError `conflict` otherwise */
async function requireSame(
  mirror: Mirror,
  { ref, name, sha }: { ref: string; name: string; sha: string }
): Promise<Ref> {
  const existing = await tipOf(mirror, ref)
  if (existing === sha) return { id: name }
  const what = existing ?? 'something that is no commit'
  throw refused(
    'conflict',
    `The tag ${quoted(name)} already exists and points to ${what}`,
    'exists'
  )
}

/** Returns the hash of the object that a ref names; null if there is no such ref. */
async function objectOf(mirror: Mirror, ref: string): Promise<string | null> {
  const { code, stdout } = await mirror.run(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', ref],
    { expected: [0, 1] }
  )
  return code === 0 ? stdout.toString('utf8').trim() : null
}
