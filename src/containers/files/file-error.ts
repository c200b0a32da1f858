/** Errors of system calls on files. */
export type Errno =
  | 'EACCES'
  | 'EBUSY'
  | 'EEXIST'
  | 'EINVAL'
  | 'EISDIR'
  | 'ELOOP'
  | 'ENOENT'
  | 'ENOSPC'
  | 'ENOTDIR'
  | 'ENOTEMPTY'
  | 'EPERM'
  | 'EROFS'
  | 'EXDEV';

/** Texts of strerror. Go's are the same in lower case. */
const texts: Readonly<Record<Errno, string>> = {
  EACCES: 'Permission denied',
  EBUSY: 'Resource busy',
  EEXIST: 'File exists',
  EINVAL: 'Invalid argument',
  EISDIR: 'Is a directory',
  ELOOP: 'Symbolic link loop',
  ENOENT: 'No such file or directory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  ENOTEMPTY: 'Directory not empty',
  EPERM: 'Operation not permitted',
  EROFS: 'Read-only file system',
  EXDEV: 'Cross-device link',
};

/** A failed system call on a file; the message is the text of strerror. */
export class SystemError extends Error {
  override readonly name = 'SystemError';
  readonly code: Errno;

  constructor(code: Errno) {
    super(texts[code]);
    this.code = code;
  }

  /** The text in programs written in Go. */
  get goText(): string {
    return this.message.toLowerCase();
  }
}
