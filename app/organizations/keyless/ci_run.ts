import type { JWTPayload } from 'jose'

/*
 * A run of CI, as the provider of the CI says in a token that it signs. Pure: whoever asks has
 * verified the token.
 */

/** Providers whose tokens are understood. */
export const CI_PROVIDERS = ['github', 'gitlab'] as const
export type CiProvider = (typeof CI_PROVIDERS)[number]

/** A run of CI. */
export interface CiRun {
  /** `owner/name`, or the whole path of a project, as the provider writes it. */
  repository: string
  /** Its number, which stays when it is renamed. */
  repositoryId: string
  /** `refs/heads/main`, `refs/tags/v1`. */
  ref: string
  /** Path of the file in the repository. */
  workflow: string
  /** The ref that the file was read at. */
  workflowRef: string
  environment: string | null
  /** The event that began it, as the provider calls it. */
  event: string
  runId: string
  runUrl: string
  /** Name of the account that began it. */
  startedBy: string
}

/** The run that a rule trusts. */
export interface Trusted {
  provider: CiProvider
  issuer: string
  repository: string
  repositoryId: string | null
  workflow: string
  refs: readonly string[]
  environment: string | null
}

/** The issuer of GitHub Actions at github.com; GitHub Enterprise Server is an issuer by its host. */
const GITHUB = 'https://token.actions.githubusercontent.com'

/** Returns the run that a token is of; null if the token lacks something of one. */
export function runOf(provider: CiProvider, issuer: string, claims: JWTPayload): CiRun | null {
  const values = (provider === 'github' ? githubRun : gitlabRun)(issuer, claims)
  const { environment, ...needed } = values
  const isWhole = Object.values(needed).every((value) => value !== undefined && value !== '')
  return isWhole ? ({ ...needed, environment: environment ?? null } as CiRun) : null
}

type Found = { [Member in keyof CiRun]: string | undefined }

function textIn(claims: JWTPayload, name: string): string | undefined {
  const value = claims[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && !/\p{Cc}/u.test(value) ? value : undefined
}

function githubRun(issuer: string, claims: JWTPayload): Found {
  const repository = textIn(claims, 'repository')
  const runId = textIn(claims, 'run_id')
  const server = issuer === GITHUB ? 'https://github.com' : new URL(issuer).origin
  return {
    repository,
    repositoryId: textIn(claims, 'repository_id'),
    ref: textIn(claims, 'ref'),
    ...fileIn(textIn(claims, 'workflow_ref'), `${repository}/`),
    environment: textIn(claims, 'environment'),
    event: textIn(claims, 'event_name'),
    runId,
    runUrl: `${server}/${repository}/actions/runs/${runId}`,
    startedBy: textIn(claims, 'actor'),
  }
}

function gitlabRun(issuer: string, claims: JWTPayload): Found {
  const repository = textIn(claims, 'project_path')
  const runId = textIn(claims, 'pipeline_id')
  const { host } = new URL(issuer)
  return {
    repository,
    repositoryId: textIn(claims, 'project_id'),
    ref: textIn(claims, 'ref_path'),
    ...fileIn(textIn(claims, 'ci_config_ref_uri'), `${host}/${repository}//`),
    environment: textIn(claims, 'environment'),
    event: textIn(claims, 'pipeline_source'),
    runId,
    runUrl: `${issuer.replace(/\/$/, '')}/${repository}/-/pipelines/${runId}`,
    startedBy: textIn(claims, 'user_login'),
  }
}

/**
 * Reads the address of a workflow's file, `<repository><path>@<ref>`: a file of another repository
 * is none of this one.
 */
function fileIn(address: string | undefined, repository: string) {
  const at = address?.lastIndexOf('@') ?? -1
  if (!address?.startsWith(repository) || at < 0) {
    return { workflow: undefined, workflowRef: undefined }
  }
  return { workflow: address.slice(repository.length, at), workflowRef: address.slice(at + 1) }
}

/** Events of code that nobody has taken in yet: whoever proposes it says what runs. */
const PROPOSALS: ReadonlySet<string> = new Set([
  ...['pull_request', 'pull_request_target'],
  ...['merge_request_event', 'external_pull_request_event'],
])

/** Returns whether a run is of a pull or merge request, which never gets a key. */
export const isOfProposal = ({ event, ref }: CiRun): boolean =>
  PROPOSALS.has(event) || /^refs\/(pull|merge-requests)\//.test(ref)

/** Returns whether a run is one that a rule is for. Names are compared letter by letter. */
export function isTrusted(rule: Trusted, run: CiRun): boolean {
  return (
    rule.repository === run.repository &&
    (rule.repositoryId === null || rule.repositoryId === run.repositoryId) &&
    rule.workflow === run.workflow &&
    [run.ref, run.workflowRef].every((ref) => rule.refs.some((each) => fitsRef(each, ref))) &&
    (rule.environment === null || rule.environment === run.environment)
  )
}

/** A star at the end stands for whatever follows. */
const fitsRef = (pattern: string, ref: string): boolean =>
  pattern.endsWith('*') ? ref.startsWith(pattern.slice(0, -1)) : pattern === ref
