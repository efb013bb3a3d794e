import { defineConfig } from '#integrations/define_config'

/**
 * The plugins of integration providers, as `github: () => import('…')`;
 * docs/how-to/run-the-service.md has more. A plugin that is not listed here does not run.
 */
export default defineConfig({
  plugins: {
    'app-store-connect': () => import('@tarmac/plugin-app-store-connect'),
    'github': () => import('@tarmac/plugin-github'),
    'google-play': () => import('@tarmac/plugin-google-play'),
    'jira': () => import('@tarmac/plugin-jira'),
    'slack': () => import('@tarmac/plugin-slack'),
    'git': () => import('#integrations/providers/git/plugin'),
    'sim': () => import('#simulation/provider/plugin'),
    'sim-apple': () => import('#simulation/provider/app_store/plugin'),
    'sim-git': () => import('#simulation/provider/git_host/plugin'),
    'sim-google': () => import('#simulation/provider/google_play/plugin'),
    'generic-ci': () => import('#integrations/providers/generic/ci'),
    'generic-analytics': () => import('#integrations/providers/generic/analytics'),
  },
  http: { timeoutMs: 30_000, maxAttempts: 3, breaker: { failures: 5, coolDownMs: 30_000 } },
})
