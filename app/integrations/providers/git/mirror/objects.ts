import { GitFailure } from '../program/failures.js'
import type { Mirror } from './mirror.js'

/** A committer or tagger as git writes it: name, e-mail, seconds since 1970, zone. */
export interface Person {
  name: string
  email: string
  at: Date
}

interface NewCommit {
  tree: string
  parents: readonly string[]
  /** A whole line of another commit, as it was written, or a person. */
  author: Buffer | Person
  committer: Person
  /** Encoding of message and author if it is not UTF-8. */
  encoding?: string
  message: Buffer
}

/** A commit as it is stored. */
export interface RawCommit {
  tree: string
  parents: string[]
  author: Buffer
  encoding?: string
  message: Buffer
}

const NEWLINE = 0x0a

/** Stores a commit without touching any branch. */
export async function writeCommit(mirror: Mirror, commit: NewCommit): Promise<string> {
  const { tree, parents, author, committer, encoding, message } = commit
  const object = Buffer.concat([
    Buffer.from(`tree ${tree}\n${parents.map((each) => `parent ${each}\n`).join('')}author `),
    Buffer.isBuffer(author) ? author : Buffer.from(signature(author)),
    Buffer.from(`\ncommitter ${signature(committer)}\n`),
    Buffer.from(encoding === undefined ? '' : `encoding ${encoding}\n`),
    Buffer.from('\n'),
    message,
  ])
  return mirror.line(['hash-object', '-t', 'commit', '-w', '--stdin'], { input: object })
}

/** Stores an annotated tag of a commit. */
export async function writeTag(
  mirror: Mirror,
  { name, sha, message, tagger }: { name: string; sha: string; message: string; tagger: Person }
): Promise<string> {
  const head = `object ${sha}\ntype commit\ntag ${name}\ntagger ${signature(tagger)}\n`
  const input = `${head}\n${message.trimEnd()}\n`
  return mirror.line(['hash-object', '-t', 'tag', '-w', '--stdin'], { input })
}

/**
 * Reads commits byte by byte, so that what is not UTF-8 stays what it is.
 * @throws GitFailure for one that is not there
 */
export async function readCommits(mirror: Mirror, shas: readonly string[]): Promise<RawCommit[]> {
  const input = shas.map((sha) => `${sha}\n`).join('')
  const { stdout } = await mirror.run(['cat-file', '--batch'], { input })
  const commits: RawCommit[] = []
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf(NEWLINE, at)
    const line = stdout.toString('utf8', at, end)
    const [, size] = / commit (\d+)$/.exec(line) ?? []
    if (size === undefined) throw new GitFailure('cat-file', 0, line)
    const from = end + 1
    commits.push(commitFrom(stdout.subarray(from, from + Number(size))))
    at = from + Number(size) + 1
  }
  return commits
}

function commitFrom(bytes: Buffer): RawCommit {
  const end = bytes.indexOf('\n\n')
  const head = end === -1 ? bytes : bytes.subarray(0, end)
  const lines = headers(head)
  const texts = (name: string) =>
    lines.filter((each) => each.name === name).map(({ value }) => value.toString('utf8'))
  const author = lines.find(({ name }) => name === 'author')
  return {
    tree: texts('tree')[0],
    parents: texts('parent'),
    author: author?.value ?? Buffer.from(''),
    encoding: texts('encoding')[0],
    message: end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 2),
  }
}

function headers(head: Buffer): { name: string; value: Buffer }[] {
  const found: { name: string; value: Buffer }[] = []
  for (let from = 0; from < head.length;) {
    const newline = head.indexOf(NEWLINE, from)
    const line = head.subarray(from, newline === -1 ? head.length : newline)
    const space = line.indexOf(' ')
    // A line that begins with a space belongs to the one before: a signature.
    if (space > 0) {
      found.push({
        name: line.subarray(0, space).toString('utf8'),
        value: line.subarray(space + 1),
      })
    }
    from += line.length + 1
  }
  return found
}

function signature({ name, email, at }: Person): string {
  return `${name} <${email}> ${Math.floor(at.getTime() / 1000)} +0000`
}
