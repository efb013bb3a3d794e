import type { JWTPayload } from 'jose'

/*
 * CI runs as providers describe them in signed tokens. Pure functions; callers verify the tokens.
 */

/** The providers whose tokens are supported. */
export const CI_PROVIDERS = ['github', 'gitlab'] as const
export type CiProvider = (typeof CI_PROVIDERS)[number]

/** A CI run. */
export interface CiRun {
  /** `owner/name`, or the full path of a project, as the provider writes it. */
  repository: string
  /** The id of the repository, which does not change when it is renamed. */
  repositoryId: string
  /** The ref that is built, such as `refs/heads/main` or `refs/tags/v1`. */
  ref: string
  /** The path of the workflow's file in the repository. */
  workflow: string
  /** The ref from which the workflow's file was read. */
  workflowRef: string
  environment: string | null
  /** The event that started it, as the provider calls it. */
  event: string
  runId: string
  runUrl: string
  /** The name of the account that started it. */
  startedBy: string
}

/** The runs that a rule trusts. */
export interface Trusted {
  provider: CiProvider
  issuer: string
  repository: string
  repositoryId: string | null
  workflow: string
  refs: readonly string[]
  environment: string | null
}

/**
 * The origin of issuers of GitHub Actions on github.com: an enterprise may have its own below it.
 * Each GitHub Enterprise Server has its own issuer.
 */
const GITHUB = 'https://token.actions.githubusercontent.com'

/** Returns the run that a token describes; null if a claim is missing. */
export function runOf(provider: CiProvider, issuer: string, claims: JWTPayload): CiRun | null {
  const values = (provider === 'github' ? githubRun : gitlabRun)(issuer, claims)
  const { environment, ...needed } = values
  const isComplete = Object.values(needed).every((value) => value !== undefined && value !== '')
  return isComplete ? ({ ...needed, environment: environment ?? null } as CiRun) : null
}

type PartialRun = { [Member in keyof CiRun]: string | undefined }

function textIn(claims: JWTPayload, name: string): string | undefined {
  const value = claims[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && !/\p{Cc}/u.test(value) ? value : undefined
}

function githubRun(issuer: string, claims: JWTPayload): PartialRun {
  const repository = textIn(claims, 'repository')
  const runId = textIn(claims, 'run_id')
  const { origin } = new URL(issuer)
  const server = origin === GITHUB ? 'https://github.com' : origin
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

function gitlabRun(issuer: string, claims: JWTPayload): PartialRun {
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
 * Splits the address of a workflow's file, `<repository><path>@<ref>`. A file of another repository
 * is ignored.
 */
function fileIn(address: string | undefined, repository: string) {
  const at = address?.lastIndexOf('@') ?? -1
  if (!address?.startsWith(repository) || at < 0) {
    return { workflow: undefined, workflowRef: undefined }
  }
  return { workflow: address.slice(repository.length, at), workflowRef: address.slice(at + 1) }
}

/** Events of proposed code that nobody has reviewed yet: its author controls what runs. */
const PROPOSALS: ReadonlySet<string> = new Set([
  'pull_request',
  'pull_request_target',
  'merge_request_event',
  'external_pull_request_event',
])

/** Returns whether a run is for a pull or merge request, which never gets a key. */
export const isOfProposal = ({ event, ref }: CiRun): boolean =>
  PROPOSALS.has(event) || /^refs\/(pull|merge-requests)\//.test(ref)

/** Returns whether a rule trusts a run. Names are compared exactly, including case. */
export function isTrusted(rule: Trusted, run: CiRun): boolean {
  return (
    rule.repository === run.repository &&
    (rule.repositoryId === null || rule.repositoryId === run.repositoryId) &&
    rule.workflow === run.workflow &&
    [run.ref, run.workflowRef].every((ref) => rule.refs.some((each) => fitsRef(each, ref))) &&
    (rule.environment === null || rule.environment === run.environment)
  )
}

/** A star at the end of a pattern matches any suffix. */
const fitsRef = (pattern: string, ref: string): boolean =>
  pattern.endsWith('*') ? ref.startsWith(pattern.slice(0, -1)) : pattern === ref
