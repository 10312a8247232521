/** Name and version by which the invite of a task says that it is a paid job. Source: protocols/jobs.md. */
export const JOB_TYPE = { name: 'job.request', version: 1 } as const

/** Whether an invite of this type opens a paid job; the one definition of that name and version is built in. */
export function isJob({ name, version }: { readonly name: string; readonly version: number }): boolean {
  return name === JOB_TYPE.name && version === JOB_TYPE.version
}
