import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Where plugins keep on this machine what they can have anew: one folder for each connection. */
export class ConnectionFolders {
  constructor(private readonly root: string) {}

  /** The folder of a connection, whether it is there or not. */
  of(connectionId: string): string {
    return join(this.root, connectionId.replaceAll(/[^A-Za-z0-9_-]/g, '-'))
  }

  /** Forgets what was kept for a connection. */
  async remove(connectionId: string): Promise<void> {
    // Who works in it meanwhile may make a file between the look and the removal.
    await rm(this.of(connectionId), { recursive: true, force: true, maxRetries: 3 })
  }
}
