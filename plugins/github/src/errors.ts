import {
  describeKnown,
  refused as refusedBy,
  type KnownError,
  type Lifecycle,
  type ProviderError,
  type ProviderErrorCode,
} from '@tarmac/plugin-kit'

/** Makes an error that the plugin itself detects, before anything was changed. */
export function refused(
  code: ProviderErrorCode,
  message: string,
  reason?: string,
  files: readonly string[] = []
): ProviderError {
  const fields = files.map((path) => ({ path, message: 'Both sides changed it' }))
  return refusedBy(code, { message, reason, ...(fields.length > 0 && { fields }) })
}

/** Refusals of GitHub that a team can resolve. The first match counts. */
const KNOWN: readonly KnownError[] = [
  {
    statuses: [301, 307, 308],
    code: 'notFound',
    reason:
      'GitHub answers with another address: the repository (or the branch) was renamed or transferred.',
    action: 'Whoever may change the app puts the new name into its file.',
  },
  {
    statuses: [401],
    says: 'bad credentials',
    code: 'unauthorized',
    reason: 'GitHub no longer knows the credentials: they were revoked, or have expired.',
    action: 'Whoever may change integrations makes a new key and rotates the connection.',
  },
  {
    statuses: [401],
    says: 'json web token',
    code: 'unauthorized',
    reason: 'GitHub does not accept the key of the App: it was removed, or belongs to another App.',
    action: 'Whoever may change integrations makes a new key and rotates the connection.',
  },
  {
    statuses: [401],
    says: "claim ('",
    code: 'unauthorized',
    reason: 'GitHub does not accept the time of a request: the clock of this machine is wrong.',
    action: 'Whoever runs the service sets the clock.',
  },
  {
    statuses: [404],
    says: 'integration not found',
    code: 'unauthorized',
    reason: 'GitHub knows no App of this ID: it was deleted, or the ID is wrong.',
    action: 'Whoever may change integrations connects an App that is there.',
  },
  {
    statuses: [404],
    says: 'create-an-installation-access-token',
    code: 'unauthorized',
    reason: 'GitHub knows no such installation of the App: it was uninstalled, or the ID is wrong.',
    action:
      'An owner of the organization installs the App, and whoever may change integrations rotates the connection to the new installation ID.',
  },
  {
    statuses: [403],
    says: 'suspended',
    code: 'forbidden',
    reason: 'GitHub has suspended the installation of the App, or the account.',
    action: 'An owner of the organization on GitHub lifts the suspension.',
  },
  {
    statuses: [403],
    says: 'resource not accessible by',
    code: 'forbidden',
    reason: 'The credentials lack the permission {permission}.',
    action: 'Whoever made the key on GitHub adds it, and an owner of the organization approves it.',
  },
  {
    statuses: [403],
    says: 'resource not accessible by',
    code: 'forbidden',
    reason: 'The credentials lack a permission for this.',
    action:
      'Whoever made the key on GitHub compares its permissions with the table in docs/how-to/connect/github.md.',
  },
  {
    says: 'create or update workflow',
    code: 'forbidden',
    reason: 'The change touches .github/workflows, and the key lacks Workflows: read and write.',
    action: 'Whoever made it on GitHub adds the permission, or somebody makes the change by hand.',
  },
  {
    statuses: [403],
    says: 'saml',
    code: 'forbidden',
    reason: 'The organization demands single sign-on, and the token is not authorized for it.',
    action: 'The owner of the token authorizes it for the organization (Configure SSO).',
  },
  {
    statuses: [403],
    says: 'ip allow list',
    code: 'forbidden',
    reason:
      'The organization lets only listed addresses in, and that of the service is not listed.',
    action: 'An owner of the organization on GitHub adds the address of the service.',
  },
  {
    statuses: [403],
    says: 'forbids access via a',
    code: 'forbidden',
    reason: 'The organization forbids tokens of this kind or lifetime.',
    action:
      'Whoever may change integrations connects a GitHub App, or a token that the rule allows.',
  },
  {
    statuses: [403],
    says: 'archived',
    code: 'forbidden',
    reason: 'The repository is archived: nothing in it changes.',
    action: 'An administrator of the repository un-archives it, or the app names another one.',
  },
  {
    statuses: [403, 451],
    says: 'access blocked',
    code: 'forbidden',
    reason: 'GitHub has blocked access to the repository.',
    action: 'Its owner asks the support of GitHub.',
  },
  {
    statuses: [409, 422],
    says: 'repository rule violations',
    code: 'preconditionFailed',
    reason: 'A rule of the repository stands against the change.',
    action: 'An administrator of the repository lets the App or the user bypass that rule.',
  },
  {
    statuses: [403, 405, 409, 422],
    says: 'protected branch',
    code: 'preconditionFailed',
    reason: 'The branch is protected against this change.',
    action: 'An administrator of the repository lets the App or the user bypass the protection.',
  },
  {
    statuses: [405, 409, 422],
    says: 'protected ref',
    code: 'preconditionFailed',
    reason: 'The branch or tag is protected against this change.',
    action: 'An administrator of the repository lets the App or the user bypass the protection.',
  },
  {
    statuses: [405],
    says: 'approving review',
    code: 'preconditionFailed',
    reason: 'The pull request lacks a review that the branch demands.',
    action: 'Somebody with write access reviews and approves it.',
  },
  {
    statuses: [405],
    says: 'status check',
    code: 'preconditionFailed',
    reason: 'A check that the branch demands has not passed.',
    action: 'Whoever owns the check has it run, or mends what it found.',
  },
  {
    statuses: [405],
    says: 'not mergeable',
    code: 'conflict',
    reason: 'The pull request does not merge: both sides changed the same lines.',
    action: 'An engineer merges the target into its branch, and resolves the conflict.',
  },
  {
    statuses: [409],
    says: 'head branch was modified',
    code: 'conflict',
    reason: 'The branch of the pull request has moved on since it was looked at.',
    action: 'Whoever merges looks at the new commits first, and asks again.',
  },
  {
    statuses: [422],
    says: 'cannot have more than 20 hooks',
    code: 'preconditionFailed',
    reason: 'The repository has 20 webhooks for one event already, and GitHub allows no more.',
    action:
      'An administrator of the repository removes one that nobody needs, under Settings → Webhooks.',
  },
  {
    statuses: [422],
    says: 'workflow_dispatch',
    code: 'invalid',
    reason: 'The workflow does not let anybody start it: it lacks the trigger workflow_dispatch.',
    action: 'An engineer adds `on: workflow_dispatch` to the file, on the default branch too.',
  },
  {
    statuses: [422],
    says: 'unexpected inputs',
    code: 'invalid',
    reason: 'The workflow does not know an argument of the build.',
    action: 'Whoever asked leaves the argument out, or an engineer adds the input to the workflow.',
  },
  {
    statuses: [422],
    says: 'required input',
    code: 'invalid',
    reason: 'The workflow demands an input that the build does not give.',
    action: 'Whoever asks gives it as an argument, or an engineer gives the input a default.',
  },
  {
    statuses: [422],
    says: 'no ref found',
    code: 'invalid',
    reason: 'The branch that is to be built does not exist.',
    action: 'Whoever asked names a branch that does.',
  },
  {
    statuses: [403, 422],
    says: 'disabled workflow',
    code: 'preconditionFailed',
    reason: 'The workflow is disabled.',
    action: 'Somebody with write access enables it under Actions.',
  },
  {
    statuses: [410],
    says: 'issues',
    code: 'unsupported',
    reason: 'The repository has its issues disabled.',
    action: 'An administrator of the repository enables them in its settings.',
  },
  {
    statuses: [410],
    says: 'artifact',
    code: 'notFound',
    reason: 'The artifact has expired.',
    action: 'Whoever needs it has the build run again, or keeps artifacts for longer.',
  },
]

/** Types of errors in answers of GraphQL, which come with status 200. */
const GRAPHQL: Readonly<Record<string, ProviderErrorCode>> = {
  NOT_FOUND: 'notFound',
  FORBIDDEN: 'forbidden',
  INSUFFICIENT_SCOPES: 'forbidden',
  RATE_LIMITED: 'rateLimited',
  UNPROCESSABLE: 'invalid',
}

/**
 * The header with the permissions that would suffice, such as `contents=write,workflows=write; …`.
 */
const ACCEPTED = 'x-accepted-github-permissions'

interface ErrorBody {
  message?: unknown
  errors?: unknown
  /** The page about the operation. */
  documentation_url?: unknown
}

interface Detail {
  type?: unknown
  message?: unknown
  code?: unknown
  field?: unknown
}

/** Returns the meaning of GitHub's error; undefined if its status says enough. */
export const describeError: NonNullable<Lifecycle['describeError']> = (status, body, headers) => {
  const {
    message,
    errors,
    documentation_url: page,
  } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody
  const [first] = (Array.isArray(errors) ? errors : []) as Detail[]
  if (status < 300) {
    // Only GraphQL reports errors in a successful answer.
    if (typeof first?.message !== 'string') return undefined
    const isLimit = /secondary rate limit/i.test(first.message)
    const code = isLimit ? 'rateLimited' : (GRAPHQL[String(first.type)] ?? 'invalid')
    // GraphQL has no header with the permissions that would suffice.
    const known = code === 'forbidden' && describeKnown(KNOWN, { status: 403, said: first.message })
    return known || { code, reason: first.message }
  }
  const text = typeof message === 'string' ? message : ''
  // A 404 has the same text everywhere: only its page says what is missing.
  const said = [text, first?.message, status === 404 ? page : undefined]
    .filter((each) => typeof each === 'string')
    .join('\n')
  const words = { permission: permissionIn(headers.get(ACCEPTED)) }
  const known = describeKnown(KNOWN, { status, said, words })
  if (known) return known
  if (status === 422) return { code: 'invalid', reason: reasonOf(text, first) }
  return undefined
}

/** Permissions whose names in GitHub's settings and in its API differ. */
const NAMES: Readonly<Record<string, string>> = {
  repository_hooks: 'Webhooks',
  statuses: 'Commit statuses',
}

/** Returns the first set of permissions in the header, as GitHub's settings name them. */
function permissionIn(header: string | null): string | undefined {
  const [first = ''] = (header ?? '').split(';')
  const named = [...first.matchAll(/(\w+)=(read|write|admin)/g)].map(([, name, access]) => {
    const words = NAMES[name] ?? name.replaceAll('_', ' ')
    const what = access === 'read' ? 'read-only' : access === 'write' ? 'read and write' : 'admin'
    return `${words[0].toUpperCase()}${words.slice(1)}: ${what}`
  })
  return named.length === 0 ? undefined : named.join(', ')
}

function reasonOf(message: string, detail: Detail | undefined): string {
  if (typeof detail?.message === 'string') return detail.message
  if (typeof detail?.code === 'string') return `${message}: ${String(detail.field)} ${detail.code}`
  return message
}
