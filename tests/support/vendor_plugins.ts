/** The plugins of vendors, as config/integrations.ts lists them. */
export const VENDOR_PLUGINS = {
  'app-store-connect': () => import('@tarmac/plugin-app-store-connect'),
  'github': () => import('@tarmac/plugin-github'),
  'google-play': () => import('@tarmac/plugin-google-play'),
  'jira': () => import('@tarmac/plugin-jira'),
  'slack': () => import('@tarmac/plugin-slack'),
}
