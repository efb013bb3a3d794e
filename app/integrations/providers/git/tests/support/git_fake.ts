import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  Exchange,
  Failure,
  ProviderFake,
  Scenario,
  VersionControlScenario,
} from '#plugin-kit/testing'
import { TestRepository } from './repositories.js'
import { askBackend, CERTIFICATE, KEY } from './servers.js'

type Commit = VersionControlScenario['commits'][number]

/** Users of the server, by their passwords. */
const MAY_WRITE: Record<string, boolean> = {
  'good-token': true,
  'other-token': true,
  'read-only-token': false,
}

export const REPOSITORY = 'app.git'

/**
 * Git's own server by https with a real repository, for the conformance suite: whatever a fake
 * does to requests is done to them. One serves after the other behind one port.
 */
export class GitServerOfFakes {
  #current: GitFake | null = null
  readonly #folder = mkdtempSync(join(tmpdir(), 'tarmac-git-fake-'))
  readonly #server = createServer(
    { key: readFileSync(KEY), cert: readFileSync(CERTIFICATE) },
    (request, response) => void this.#current?.take(request, response)
  )
  #made = 0

  async start(): Promise<this> {
    this.#server.listen(0, 'localhost')
    await once(this.#server, 'listening')
    return this
  }

  get origin(): string {
    return `https://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  /** Returns a fake as new, which serves from now on. */
  next(): GitFake {
    this.#server.closeAllConnections()
    this.#current = new GitFake(join(this.#folder, `${++this.#made}`))
    return this.#current
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** One repository and its server. */
export class GitFake implements ProviderFake {
  #repository: TestRepository
  #seeds = 0
  #left = Infinity
  readonly #failures: Failure[] = []
  readonly #exchanges: Exchange[] = []

  constructor(private readonly folder: string) {
    this.#repository = new TestRepository(join(folder, '0', REPOSITORY))
  }

  answer(): Promise<Response> {
    throw new Error('Git is reached by its program alone')
  }

  reach(): string[] {
    return ['127.0.0.1', '::1']
  }

  /** Makes the repository anew. */
  seed({ versionControl }: Scenario): void {
    if (!versionControl) return
    this.#seeds += 1
    const repository = new TestRepository(join(this.folder, `${this.#seeds}`, REPOSITORY))
    seedRepository(repository, versionControl)
    this.#repository = repository
  }

  state(): Scenario {
    return { versionControl: shownRepository(this.#repository) }
  }

  failNext(...failures: Failure[]): void {
    this.#failures.push(...failures)
  }

  setRateLimit(requests: number): void {
    this.#left = requests
  }

  advance(): void {}

  requests(): readonly Exchange[] {
    return this.#exchanges
  }

  /** Answers one request of the program. */
  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const { authorization = '' } = headers
    const exchange: Exchange = {
      method,
      url: `https://localhost${url}`,
      headers: authorization === '' ? {} : { authorization },
      body: '',
      response: null,
    }
    const result = (status: number, more: Record<string, string>, body: string | Buffer) => {
      exchange.response = { status, headers: more, body: '' }
      if (!request.readableEnded) request.resume()
      response.writeHead(status, more).end(body)
    }
    // Git asks without credentials first; that is no request of a plugin’s.
    const token = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
    const mayWrite = MAY_WRITE[token.slice(token.indexOf(':') + 1)]
    if (mayWrite === undefined) {
      return result(401, { 'www-authenticate': 'Basic realm="git"' }, 'Who are you?')
    }
    this.#exchanges.push(exchange)
    if (this.#left-- <= 0) return result(429, { 'retry-after': '90' }, 'Too many requests')
    if (!mayWrite && url.includes('git-receive-pack')) return result(403, {}, 'Read only')
    const failure = this.#failures.shift() ?? 'pass'
    if (typeof failure === 'object') return result(failure.status, {}, 'It failed')
    if (failure === 'hang') return
    if (failure === 'reset') return void request.socket.destroy()
    if (failure === 'html') return result(200, { 'content-type': 'text/html' }, '<p>Sign in')
    const given = await askBackend(request, join(this.folder, `${this.#seeds}`))
    if (failure === 'lost') return void request.socket.destroy()
    const whole = given.body
    const body = failure === 'truncate' ? whole.subarray(0, Math.ceil(whole.length / 2)) : whole
    result(given.status, given.headers, body)
  }
}

/** Fills an empty repository; commits get the hashes that git gives them. */
export function seedRepository(
  repository: TestRepository,
  versionControl: VersionControlScenario
): void {
  const { commits, branches, tags } = versionControl
  const marks = new Map(commits.map(({ sha }, index) => [sha, index + 1]))
  const marked = (sha: string) => `:${marks.get(sha)}`
  const lines = commits.flatMap(({ sha, message, author, at, parents, files }) => {
    const who = `${author} <ada@acme.example> ${Date.parse(at) / 1000} +0000`
    const [first, ...others] = parents.map(marked)
    return [
      // One branch for each, so that none depends on the order of another.
      `commit refs/seeds/${sha}\nmark ${marked(sha)}\nauthor ${who}\ncommitter ${who}\n`,
      `data ${Buffer.byteLength(message)}\n${message}\n`,
      first ? `from ${first}\n` : '',
      ...others.map((other) => `merge ${other}\n`),
      ...files.map(
        ({ path, text }) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
      ),
      '\n',
    ]
  })
  repository.git('fast-import', '--quiet', '--force', { input: lines.join('') })
  const refs = repository.refs()
  const hash = (sha: string) => refs.get(`refs/seeds/${sha}`)!
  const changes = [
    ...branches.map(({ name, sha }) => `create refs/heads/${name} ${hash(sha)}\n`),
    ...tags.map(({ name, sha }) => `create refs/tags/${name} ${hash(sha)}\n`),
    ...commits.map(({ sha }) => `delete refs/seeds/${sha}\n`),
  ]
  repository.git('update-ref', '--stdin', { input: changes.join('') })
}

/** Returns the state of a repository, in the words of the suite. */
export function shownRepository(repository: TestRepository): VersionControlScenario {
  const log = repository.git(
    'log',
    '--all',
    '--topo-order',
    '--reverse',
    '--format=%H%x00%B%x00%an%x00%aI%x00%P%x00'
  )
  const fields = log.split('\0')
  const commits: Commit[] = []
  for (let at = 0; at + 5 <= fields.length; at += 5) {
    const [sha, message, author, when, parents] = fields.slice(at, at + 5)
    commits.push({
      sha: sha.trim(),
      message: message.trimEnd(),
      author,
      at: new Date(when).toISOString(),
      parents: parents.split(' ').filter(Boolean),
      get files() {
        return filesOf(repository, sha.trim())
      },
    })
  }
  // The commit of an annotated tag is what the tag is of.
  const refs = repository
    .git('for-each-ref', '--format=%(refname) %(objectname) %(*objectname)')
    .split('\n')
    .map((line) => line.split(' '))
  const named = (folder: string) =>
    refs
      .filter(([ref]) => ref.startsWith(folder))
      .map(([ref, sha, ofTag]) => ({ name: ref.slice(folder.length), sha: ofTag || sha }))
  return {
    branches: named('refs/heads/').map((branch) => ({ ...branch, protected: false })),
    commits,
    tags: named('refs/tags/'),
    pulls: [],
    releases: [],
    conflicting: [],
  }
}

function filesOf(repository: TestRepository, sha: string): Commit['files'] {
  const args = ['diff-tree', '--root', '--no-commit-id', '-r', '-z', '--name-only', sha]
  const paths = repository
    .git(...args)
    .split('\0')
    .filter(Boolean)
  return paths.map((path) => ({ path, text: repository.git('show', `${sha}:${path}`) }))
}
