import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Local folders in which plugins cache data: one per connection. */
export class ConnectionFolders {
  constructor(private readonly root: string) {}

  /** Returns the path of a connection's folder, which may not exist. */
  of(connectionId: string): string {
    return join(this.root, connectionId.replaceAll(/[^A-Za-z0-9_-]/g, '-'))
  }

  /** Deletes the folder of a connection. */
  async remove(connectionId: string): Promise<void> {
    // A concurrent user may create a file between listing and removal.
    await rm(this.of(connectionId), { recursive: true, force: true, maxRetries: 3 })
  }
}
