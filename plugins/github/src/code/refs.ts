import { type Page, type Ref, type Tag, unless } from '@tarmac/plugin-kit'
import { refused } from '../errors.js'
import {
  requireHash,
  requireName,
  isNotFound,
  nextOf,
  PAGE,
  reads,
  serverOf,
  type Connection,
  type GitHub,
} from '../github.js'
import { findBranch, tipOf } from './commits.js'

const REFUSAL = /already exists|object does not exist/i

export async function getBranch(github: GitHub, name: string) {
  const found = await findBranch(github, requireName(name))
  return found && { name, sha: found.commit.sha, protected: found.protected }
}

/** @throws ProviderError `conflict` with the reason `exists`, `notFound` with `commit` */
export async function createBranch(github: GitHub, name: string, fromSha: string) {
  const sha = requireHash(fromSha)
  const created = await createRef(github, `refs/heads/${requireName(name)}`, sha)
  if (created === 'exists' && (await tipOf(github, name)) !== sha) {
    throw refused('conflict', `The branch "${name}" already exists at another commit`, 'exists')
  }
  return { name, sha }
}

/** @throws ProviderError `notFound` with the reason `commit` */
export async function createRef(
  github: GitHub,
  ref: string,
  sha: string
): Promise<'created' | 'exists'> {
  const created = await unless(
    github.request('POST /repos/{owner}/{repo}/git/refs', { ref, sha }),
    reads(REFUSAL)
  )
  if (created) return 'created'
  // A read shows whether the ref exists or the commit is missing.
  if (await findRef(github, ref)) return 'exists'
  throw refused('notFound', `There is no commit ${sha}`, 'commit')
}

async function findRef(github: GitHub, ref: string) {
  const found = await unless(
    github.request('GET /repos/{owner}/{repo}/git/ref/{ref}', { ref: ref.replace(/^refs\//, '') }),
    isNotFound
  )
  return found?.data.object ?? null
}

export async function deleteBranch(github: GitHub, name: string): Promise<void> {
  await unless(
    github.request('DELETE /repos/{owner}/{repo}/git/refs/{ref}', { ref: `heads/${name}` }),
    (error) => isNotFound(error) || error.detail.status === 422
  )
}

/** Creates an annotated tag. @throws ProviderError `conflict` with the reason `exists` */
export async function createTag(
  github: GitHub,
  name: string,
  commit: string,
  message: string
): Promise<Ref> {
  const ref = `refs/tags/${requireName(name)}`
  const sha = requireHash(commit)
  const known = await taggedCommit(github, ref)
  if (known === null) {
    const { data } = await github.request('POST /repos/{owner}/{repo}/git/tags', {
      tag: name,
      message,
      object: sha,
      type: 'commit',
    })
    if ((await createRef(github, ref, data.sha)) === 'created') return refOf(github, name)
  }
  if ((known ?? (await taggedCommit(github, ref))) === sha) return refOf(github, name)
  throw refused('conflict', `The tag "${name}" already exists for another commit`, 'exists')
}

const refOf = ({ owner, repo, ctx }: GitHub, name: string): Ref => ({
  id: name,
  url: `${serverOf(ctx) ?? 'https://github.com'}/${owner}/${repo}/releases/tag/${encodeURIComponent(name)}`,
})

async function taggedCommit(github: GitHub, ref: string): Promise<string | null> {
  const object = await findRef(github, ref)
  if (object === null || object.type !== 'tag') return object?.sha ?? null
  const { data } = await github.request('GET /repos/{owner}/{repo}/git/tags/{tag_sha}', {
    tag_sha: object.sha,
  })
  return data.object.sha
}

const TAGS = `query ($owner: String!, $repo: String!, $text: String, $first: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    refs(refPrefix: "refs/tags/", query: $text, first: $first, after: $after,
      orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) {
      nodes {
        name
        target {
          __typename
          oid
          ... on Commit { committedDate }
          ... on Tag { tagger { date } target { oid ... on Commit { committedDate } } }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

interface TagTarget {
  __typename: string
  oid: string
  committedDate?: string
  tagger?: { date?: string } | null
  target?: { oid: string; committedDate?: string }
}

interface TagsAnswer {
  repository: { refs: Connection<{ name: string; target: TagTarget }> }
}

/**
 * Lists tags by GraphQL, one request per page, because REST reports neither times nor an order.
 */
export async function listTags(
  github: GitHub,
  prefix: string,
  cursor?: string
): Promise<Page<Tag>> {
  const { repository } = await github.graphql<TagsAnswer>(TAGS, {
    text: prefix === '' ? null : prefix,
    first: PAGE,
    after: cursor ?? null,
  })
  const { refs } = repository
  const items = refs.nodes
    // GitHub matches the text anywhere in the name.
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, target }): Tag => {
      const commit = target.target ?? target
      const at = target.tagger?.date ?? commit.committedDate ?? ''
      return { name, sha: commit.oid, at, url: refOf(github, name).url }
    })
  return { items, ...nextOf(refs) }
}

/** Creates the release of a tag, or updates the title and notes of the existing one. */
export async function createRelease(
  github: GitHub,
  tag: string,
  title: string,
  notes: string
): Promise<Ref> {
  const known = await findRelease(github, tag)
  if (known) {
    if (known.name !== title || known.body !== notes) {
      await github.request('PATCH /repos/{owner}/{repo}/releases/{release_id}', {
        release_id: known.id,
        name: title,
        body: notes,
      })
    }
    return { id: String(known.id), url: known.html_url }
  }
  const { data } = await github.request('POST /repos/{owner}/{repo}/releases', {
    tag_name: requireName(tag),
    name: title,
    body: notes,
  })
  return { id: String(data.id), url: data.html_url }
}

async function findRelease(github: GitHub, tag: string) {
  const found = await unless(
    github.request('GET /repos/{owner}/{repo}/releases/tags/{tag}', { tag }),
    isNotFound
  )
  return found?.data ?? null
}
