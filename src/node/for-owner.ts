import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import { StoreFailure } from '../store/failure.js'

/** Work on the store whose failure is a sentence for the owner. Rejects with CommandFailure where it was a StoreFailure. */
export async function forOwner<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error
    throw new CommandFailure(error.code === 'locked' ? EXIT.alreadyRunning : EXIT.refused, error.message)
  }
}
