/** The CI build that produced a file, in the API's form. */
export interface CiBuildInfo {
  buildIdentifier: string
  branch: string
  commitHash: string
  integrationId: string
  workflowData?: { workflowId: string; workflowName: string }
  url?: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the CI build from a job's environment; null outside of GitHub Actions and GitLab CI. */
export function ciBuildOf(env: Environment): CiBuildInfo | null {
  if (env.GITHUB_ACTIONS) {
    const { GITHUB_RUN_ID, GITHUB_REF, GITHUB_SHA, GITHUB_WORKFLOW, GITHUB_WORKFLOW_REF } = env
    if (!GITHUB_RUN_ID || !GITHUB_REF || !GITHUB_SHA) return null
    const file = /([^/@]+)@/.exec(GITHUB_WORKFLOW_REF ?? '')?.[1]
    const workflowId = file ?? GITHUB_WORKFLOW
    const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = env
    return {
      buildIdentifier: GITHUB_RUN_ID,
      branch: GITHUB_REF,
      commitHash: GITHUB_SHA,
      integrationId: 'github-ci',
      // Empty variables are left out.
      ...(workflowId
        ? { workflowData: { workflowId, workflowName: GITHUB_WORKFLOW || workflowId } }
        : {}),
      ...(GITHUB_SERVER_URL && GITHUB_REPOSITORY
        ? { url: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}` }
        : {}),
    }
  }
  if (env.GITLAB_CI) {
    const { CI_PIPELINE_ID, CI_COMMIT_REF_NAME, CI_COMMIT_SHA, CI_PIPELINE_URL } = env
    if (!CI_PIPELINE_ID || !CI_COMMIT_REF_NAME || !CI_COMMIT_SHA) return null
    const job = env.CI_JOB_NAME || CI_PIPELINE_ID
    return {
      buildIdentifier: CI_PIPELINE_ID,
      branch: CI_COMMIT_REF_NAME,
      commitHash: CI_COMMIT_SHA,
      integrationId: 'gitlab-ci',
      workflowData: { workflowId: job, workflowName: job },
      ...(CI_PIPELINE_URL ? { url: CI_PIPELINE_URL } : {}),
    }
  }
  return null
}
