# What the scripts of this folder share; sourced by them with these set:
#   me       the script's name, for messages
#   root     the project's folder
#   install  true or false: whether missing Debian packages are installed
# shellcheck shell=bash

missing() {
  printf "$me: %s\n" "$@" >&2
  exit 2
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Debian starts the service of a package it installs, unless a policy forbids it.
apt_install() {
  command -v apt-get >/dev/null || missing "cannot install $*: there is no apt-get here"
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null || missing "only root can install $*"
  echo "$me: installing $*"
  local policy=/usr/sbin/policy-rc.d status=0
  if [ -e "$policy" ]; then
    policy=''
  else
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    # shellcheck disable=SC2064 # the path as it is now
    trap "as_root rm -f '$policy'" EXIT
    as_root chmod 755 "$policy"
  fi
  {
    as_root apt-get update -qq &&
      as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@"
  } </dev/null >&2 || status=$?
  if [ -n "$policy" ]; then
    as_root rm -f "$policy"
    trap - EXIT
  fi
  [ "$status" -eq 0 ] || missing "apt-get could not install $*"
}

# The JDK that Maven will take; prints nothing for a bare runtime or Java 8.
jdk_version() {
  "${JAVA_HOME:+$JAVA_HOME/bin/}java" --list-modules 2>/dev/null |
    sed -n 's/^jdk\.compiler@\([0-9]*\).*/\1/p' || true
}

require_jdk() {
  local version
  version=$(jdk_version)
  if [ "${version:-0}" -lt 17 ] && $install && [ -z "${JAVA_HOME:-}" ]; then
    apt_install default-jdk-headless
    version=$(jdk_version)
  fi
  [ "${version:-0}" -ge 17 ] || missing \
    "needs a JDK 17 or newer, and ${JAVA_HOME:-the PATH} has ${version:-none}" \
    'set JAVA_HOME to one, or install one: apt-get install default-jdk-headless'
}

require_maven() {
  command -v mvn >/dev/null && return
  $install || missing 'needs Maven 3.8 or newer; with --install it is installed, or:' \
    'apt-get install maven'
  apt_install maven
}

# Where the demo and the tests look, too.
has_rabbitmq() {
  local folder
  for folder in /usr/lib/rabbitmq /opt/homebrew/opt/rabbitmq /usr/local/opt/rabbitmq; do
    [ -x "$folder/bin/rabbitmq-server" ] || [ -x "$folder/sbin/rabbitmq-server" ] || continue
    return 0
  done
  return 1
}

# $@: lines about what else can be done.
require_rabbitmq() {
  has_rabbitmq && return
  if $install || [ "${CI:-}" = true ]; then
    apt_install rabbitmq-server
    has_rabbitmq || missing 'the package rabbitmq-server brought no /usr/lib/rabbitmq'
    return
  fi
  missing 'needs RabbitMQ, and there is neither Docker nor the program. Either install it:' \
    'apt-get update && apt-get install -y --no-install-recommends rabbitmq-server' \
    "($me --install does that without starting a service)" "$@"
}

# A consumer whose clock is wrong is a fault that needs a library; without, it is left out.
want_libfaketime() {
  compgen -G '/usr/lib/*-linux-gnu*/faketime/libfaketimeMT.so.1' >/dev/null && return
  if $install || [ "${CI:-}" = true ]; then
    (apt_install libfaketime) || echo "$me: goes on without libfaketime" >&2
  fi
}

# $1: a module whose target folder is to hold classes and lib; further arguments: what it is made
# of. Builds it if it was not built, or if something of that has changed since. Call it in $root.
build_once() {
  local module=$1 target=$root/$1/target
  shift
  is_built "$target/built" "$@" && return
  mkdir -p "$target"
  if command -v flock >/dev/null; then
    exec 9>"$target/lock"
    flock 9
  fi
  is_built "$target/built" "$@" || build "$module" "$target"
  exec 9>&-
}

is_built() {
  local stamp=$1
  shift
  [ -f "$stamp" ] &&
    [ -z "$(find "$@" -newer "$stamp" -type f -print -quit 2>/dev/null)" ]
}

build() {
  local begun log=$2/build.log
  echo "$me: building, once" >&2
  begun=$(mktemp "$2/begun.XXXXXX")
  if ! mvn -B -ntp -q -pl "$1" -am package -Dmaven.test.skip=true \
    -Dspotless.check.skip -Dcheckstyle.skip >"$log" 2>&1; then
    rm -f "$begun"
    cat "$log" >&2
    echo "$me: the build failed; it needs Maven 3.8 and a JDK 17 or newer" >&2
    exit 1
  fi
  mv "$begun" "$2/built"
}

# A docker client on the PATH, or a socket left behind by an engine, proves nothing: connect.
docker_answers() {
  local host=${DOCKER_HOST:-unix:///var/run/docker.sock}
  case $host in
    unix://*) [ -S "${host#unix://}" ] || return 1 ;;
    tcp://*) ;;
    *) return 1 ;;
  esac
  mkdir -p "$root/target"
  cat >"$root/target/Connect.java" <<'END'
import java.net.*;
import java.nio.channels.SocketChannel;

class Connect {
  public static void main(String[] args) throws Exception {
    var uri = new URI(args[0]);
    if (uri.getScheme().equals("unix")) {
      SocketChannel.open(UnixDomainSocketAddress.of(uri.getPath())).close();
    } else {
      int port = uri.getPort() < 0 ? 2375 : uri.getPort();
      new Socket().connect(new InetSocketAddress(uri.getHost(), port), 2000);
    }
  }
}
END
  "${JAVA_HOME:+$JAVA_HOME/bin/}java" --source 17 "$root/target/Connect.java" "$host" 2>/dev/null
}
