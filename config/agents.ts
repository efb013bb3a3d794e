import { publicUrl } from '#config/app'
import env from '#start/env'

/**
 * Host names that assistants may use for the service, beside IP addresses and names without a dot.
 */
export const hosts: readonly string[] = [
  ...(publicUrl ? [new URL(publicUrl).hostname] : []),
  ...(env.get('MCP_HOSTS') ?? '').split(',').flatMap((each) => each.trim().toLowerCase() || []),
]
